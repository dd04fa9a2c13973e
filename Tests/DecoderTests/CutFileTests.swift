import Decoding
import Models
import Rendering
import RenderingCodecs
import RenderingVips
import TestSupport
import Testing

/// A file that is cut is called so wherever it ends: within its header, too.
@Suite("Cut files", .serialized) struct CutFileTests {
  private static let samples: [(String, [UInt8])] = [
    ("JPEG", TestJPEG.flat(width: 64, height: 64)),
    ("PNG", TestPicture.png(width: 64, height: 64)),
    ("WebP", Fixtures.webP),
    ("animated WebP", Fixtures.animatedWebP),
    ("GIF", Fixtures.gif),
    ("TIFF", TestTIFF.grey(width: 8, height: 8, tone: 50)),
    ("TIFF in tiles", TestTIFF.divided(width: 20, height: 20, tone: 9, .tiles(16), isCoded: true)),
    ("BigTIFF", TestTIFF.grey(width: 8, height: 8, tone: 50, isBig: true)),
  ]

  /// By the first decoder that opens the format, as a worker asks them.
  private func failure(_ bytes: [UInt8]) throws -> RenderError? {
    let descriptors = CodecsPlugin.decoders + VipsPlugin.decoders
    return try bytes.asSource { source in
      for descriptor in descriptors where descriptor.summary.formats.contains(source.format) {
        let decoder = TruncationReportingDecoder(try descriptor.open())
        do throws(RenderError) {
          return try decoder.decode(source, page: 0, side: 64).damage
        } catch {
          if error.code != .unsupported { return error }
        }
      }
      return RenderError(.unsupported, "\(source.format)")
    }
  }

  /// The number of bytes of the mark at the end of a format whose files are whole without it.
  private static let marks: [ResourceFormat: Int] = [.jpeg: 2, .png: 12, .gif: 1]

  @Test(
    "are truncated wherever they end, not damaged, but whole if only their mark is cut",
    arguments: samples)
  func everyLength(_ name: String, _ file: [UInt8]) throws {
    let format = ResourceFormat(sniffing: file)
    var wrong: [String] = []
    for count in 1..<file.count {
      let beginning = Array(file.prefix(count))
      guard ResourceFormat(sniffing: beginning) == format else { continue }
      let error = try failure(beginning)
      let isWhole = file.count - count <= Self.marks[format] ?? 0
      if error?.code != (isWhole ? nil : .truncated) {
        wrong.append("\(count): \(error?.detail ?? "whole")")
      }
    }
    #expect(wrong.isEmpty, "\(name) of \(file.count) bytes: \(wrong.prefix(40))")
  }
}
