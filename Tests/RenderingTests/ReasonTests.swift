import Models
import Rendering
import TestSupport
import Testing

/// Every reason is a sentence for people.
@Suite("Reasons") struct ReasonTests {
  @Test("of every code exist without further detail", arguments: RenderError.Code.allCases)
  func codes(_ code: RenderError.Code) {
    expectSentence(RenderError(code, "").detail)
    expectSentence(RenderError(code, escaping: " \n ").detail)
  }

  @Test(
    "of broken files name the format and the damage",
    arguments: [
      ("PNG", [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1, 2, 3]),
      ("JPEG", [0xff, 0xd8, 0xff, 0xe0]),
      ("GIF", Array("GIF89a".utf8)), ("GIF", Array("GIF89a0123456789;".utf8)),
      ("BMP", Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + [40, 0, 0, 0, 1]),
      ("WebP", Array("RIFF1234WEBPVP8 ".utf8)), ("TIFF", [0x49, 0x49, 0x2a, 0, 8, 0, 0, 0]),
      ("HEIF", Array("\0\0\0\u{18}ftypheic\0\0\0\0mif1heic".utf8)),
      ("AVIF", Array("\0\0\0\u{18}ftypavif\0\0\0\0mif1avif".utf8)),
      ("SVG", Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><g>".utf8)),
      ("JPEG XL", [0xff, 0x0a, 1, 2, 3, 4, 5, 6, 7, 8]),
      ("JPEG 2000", [0, 0, 0, 0x0c, 0x6a, 0x50, 0x20, 0x20, 13, 10, 0x87, 10, 0, 0]),
      ("ICO", [0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 9, 0, 0, 0, 22, 0, 0, 0, 1]),
      ("PDF", Array("%PDF-1.4\nnothing".utf8)),
    ] as [(String, [UInt8])])
  func formats(_ name: String, _ file: [UInt8]) async throws {
    let error = await #expect(throws: RenderError.self) { try await Shown(file) }
    let reason = error?.detail ?? ""
    // Sizes are checked for all formats in one place.
    #expect(
      reason.hasPrefix("the \(name) file ") || reason.hasPrefix("the image has no size"),
      "\(reason)")
    expectSentence(reason)
  }
}
