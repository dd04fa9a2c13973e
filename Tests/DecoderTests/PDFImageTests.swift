import Decoding
import TestSupport
import Testing

@testable import RenderingPoppler

/// Images of a PDF that poppler draws otherwise than the file means them.
@Suite("Images of a PDF") struct PDFImageTests {
  private func remark(_ dictionary: String, _ data: [UInt8] = []) -> String? {
    let file =
      Array("%PDF-1.4\n5 0 obj\n<< /Type /XObject \(dictionary) >>\nstream\r\n".utf8) + data
      + Array("\nendstream endobj\n".utf8)
    return file.withUnsafeBytes { PDFImages(ByteView($0)).remark }
  }

  /// The markers of a JPEG up to its frame, behind another segment.
  private static func jpeg(width: UInt8, height: UInt8, components: UInt8) -> [UInt8] {
    let segments: [UInt8] = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2]
    let frame: [UInt8] = [0xff, 0xff, 0xc2, 0, 8 + 3 * components, 8, 0, height, 0, width]
    return segments + frame + [components] + [UInt8](repeating: 1, count: 3 * Int(components))
  }

  @Test("whose JPEG has another size or number of components than the file states have a remark")
  func jpeg() {
    let data = Self.jpeg(width: 64, height: 32, components: 3) + [0xff, 0xd9]
    let start = "/Subtype /Image /Filter"
    #expect(
      remark("\(start) /DCTDecode /Width 32 /Height 16 /ColorSpace /DeviceRGB", data)
        == "an image is distorted: the file states 32 × 16 pixels, but it has 64 × 32")
    #expect(
      remark("\(start)[/DCTDecode]/Width 64/Height 32/ColorSpace/DeviceGray", data)
        == "an image is distorted: the file states 1 component, but it has 3")
    for right in [
      "\(start) /DCTDecode /Width 64 /Height 32 /ColorSpace /DeviceRGB",
      "\(start) /DCTDecode /Width 64 /Height 9 0 R /ColorSpace 8 0 R",
      "\(start) [/FlateDecode /DCTDecode] /Width 32 /Height 16",
      "/Subtype /Form /Filter /DCTDecode /Width 32 /Height 16 /A /Image",
    ] {
      #expect(remark(right, data) == nil, "\(right)")
    }
    for count in data.indices {
      _ = remark("\(start) /DCTDecode /Width 64 /Height 32", Array(data.prefix(count)))
    }
  }

  @Test("whose JPEG ends before its end marker have a remark")
  func cutJPEG() {
    let start = "/Subtype /Image /Filter /DCTDecode /Width 64 /Height 32"
    let picture = Self.jpeg(width: 64, height: 32, components: 3)
    let scan: [UInt8] = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 0xff, 0, 3]
    let cut = "the end of an image is missing: its JPEG data ends too early"
    let whole = picture + scan + [0xff, 0xd9]
    for length in ["", "/Length \(whole.count)", "/Length 9 0 R", "/Length 7", "/Length 99999"] {
      #expect(remark("\(start) \(length)", whole) == nil, "\(length)")
      #expect(remark("\(start) \(length)", whole + [10, 0]) == nil, "\(length)")
      #expect(remark("\(start) \(length)", picture + scan) == cut, "\(length)")
    }
    #expect(remark("\(start) /Length \(whole.count - 2)", picture + scan) == cut)
    #expect(remark("\(start) /ColorSpace /DeviceRGB", picture + scan) == cut)
  }

  @Test("are examined one by one, also without lengths")
  func several() {
    let start = "<< /Subtype /Image /Name /Image1 /Filter /DCTDecode /Width 64 /Height 32 >>"
    let picture = Self.jpeg(width: 64, height: 32, components: 3)
    func remark(_ images: [[UInt8]]) -> String? {
      var file = Array("%PDF-1.4\n".utf8)
      for (index, image) in images.enumerated() {
        file += Array("\(index + 5) 0 obj\n\(start)\nstream\n".utf8) + image
        file += Array("\nendstream endobj\n".utf8)
      }
      return file.withUnsafeBytes { PDFImages(ByteView($0)).remark }
    }
    let whole = picture + [0xff, 0xd9]
    let cut = picture + [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1]
    #expect(remark([[UInt8]](repeating: whole, count: 50)) == nil)
    for place in [0, 1, 49] {
      var images = [[UInt8]](repeating: whole, count: 50)
      images[place] = cut
      #expect(remark(images)?.contains("its JPEG data ends too early") == true, "\(place)")
    }
  }

  @Test("whose mask has a matte, or whose transparency is in their JPEG 2000, have a remark")
  func transparency() {
    #expect(
      remark("/Subtype/Image/Matte[0 0 0]/ColorSpace/DeviceGray")?.contains("matte") == true)
    let jpeg2000 = "/Subtype /Image /Filter /JPXDecode /SMaskInData"
    #expect(remark("\(jpeg2000) 1")?.contains("JPEG 2000") == true)
    #expect(remark("\(jpeg2000) 0") == nil)
    #expect(remark("/Subtype /Image /SMask 6 0 R") == nil)
  }
}
