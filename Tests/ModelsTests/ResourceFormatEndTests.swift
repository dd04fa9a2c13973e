import Models
import Testing

@Suite("Marks at the end of files")
struct ResourceFormatEndTests {
  private func isEnded(_ format: ResourceFormat, _ file: [UInt8]) -> Bool {
    format.isEnded(
      beginning: Array(file.prefix(ResourceFormat.beginningLength)),
      end: file.suffix(ResourceFormat.endLength).map { $0 }, byteCount: Int64(file.count))
  }

  private static let files: [(ResourceFormat, [UInt8])] = [
    (.jpeg, [0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 0xff, 0xd9]),
    (
      .png,
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2]
        + [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]
    ),
    (.gif, Array("GIF89a".utf8) + [1, 2, 3, 0, 0x3b]),
    (.webp, Array("RIFF".utf8) + [7, 0, 0, 0] + Array("WEBP".utf8) + [1, 2, 3, 0]),
    (
      .zip,
      Array("PK\u{3}\u{4}entry".utf8) + Array("PK\u{1}\u{2}directory".utf8) + [0x50, 0x4b, 5, 6]
        + [UInt8](repeating: 0, count: 8) + [13, 0, 0, 0, 9, 0, 0, 0, 0, 0]
    ),
  ]

  @Test("A file has its mark at its end, and in no part of it", arguments: files.indices)
  func marks(index: Int) {
    let (format, file) = Self.files[index]
    #expect(isEnded(format, file))
    for count in 0..<file.count {
      #expect(!isEnded(format, Array(file.prefix(count))), "\(count) bytes")
    }
    #expect(!isEnded(format, file + [1]))
  }

  @Test("Other formats have no mark, and short files none either")
  func unmarked() {
    for format in ResourceFormat.allCases {
      #expect(!isEnded(format, []) && !isEnded(format, [0x50, 0x4b]))
    }
    for format in [ResourceFormat.json, .tiff, .pdf, .unknown] {
      #expect(!isEnded(format, Self.files[0].1))
    }
  }
}
