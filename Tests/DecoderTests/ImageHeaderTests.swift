import Decoding
import ImageHeaders
import Models
import Rendering
import RenderingCodecs
import SystemCalls
import TestSupport
import Testing

/// The dimensions that `ImageHeader` finds in the first bytes, beside those of the decoders.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is not beside the project (IMGDL_CORPUS)"))
struct ImageHeaderTests {
  /// The dimensions in a file, and the number of its bytes that state them.
  private func header(_ bytes: [UInt8]) -> (dimensions: ImageDimensions, byteCount: Int)? {
    var header = ImageHeader()
    var count = 0
    while count < bytes.count, header.state == .needsMore {
      let end = min(bytes.count, count + 256)
      header.append(Array(bytes[count..<end]).span.bytes)
      count = end
    }
    guard case .dimensions(let found) = header.state else { return nil }
    return (found, count)
  }

  @Test("are those of the decoder", arguments: ["photos", "exif-orientation", "pngsuite", "flags"])
  func agreement(_ set: String) throws {
    let decoder = try CodecsDecoder()
    var (known, all) = (0, 0)
    for path in Corpus.files(set, endingWith: [".jpg", ".jpeg", ".png", ".webp"]) {
      let bytes = try FileSystem.contents(of: path, limit: 1 << 26)
      guard let info = try? bytes.asSource({ try decoder.probe($0) }) else { continue }
      all += 1
      guard let found = header(bytes)?.dimensions else { continue }
      known += 1
      #expect(found == ImageDimensions(width: info.width, height: info.height), "\(path)")
    }
    #expect(all > 10)
    #expect(known * 100 >= all * 95, "\(known) of \(all)")
  }

  @Test("are known after five per cent of the bytes of small photographs")
  func share() throws {
    var (needed, all) = (0, 0)
    for path in Corpus.files("photos", endingWith: [".jpg", ".jpeg"]) {
      let bytes = try FileSystem.contents(of: path, limit: 1 << 26)
      guard let found = header(bytes) else { continue }
      all += bytes.count
      needed += found.byteCount
    }
    #expect(all > 0)
    #expect(needed * 20 <= all, "\(needed) of \(all)")
  }
}
