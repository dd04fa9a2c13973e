import HTTP1
import Testing

@Suite("Byte ranges")
struct ByteRangeTests {
  @Test(
    "are parts of the file",
    arguments: [
      ("bytes=0-0", 0..<1), ("bytes=0-", 0..<10), ("bytes=9-", 9..<10), ("bytes=3-5", 3..<6),
      ("bytes=3-99", 3..<10), ("bytes=-1", 9..<10), ("bytes=-99", 0..<10), ("Bytes=1-2", 1..<3),
      ("bytes=0-99999999999999999999", 0..<10), ("bytes=-99999999999999999999", 0..<10),
    ] as [(String, Range<Int64>)])
  func parts(field: String, part: Range<Int64>) {
    #expect(ByteRange(field, of: 10) == .part(part))
  }

  @Test(
    "that are malformed, several or in another unit are ignored",
    arguments: [
      nil, "", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=5-3", "bytes=1-2,4-5",
      "lines=1-2", "bytes= 1-2", "bytes=+1-2", "bytes=1", "bytes=1-2-3",
    ])
  func ignored(field: String?) {
    #expect(ByteRange(field, of: 10) == .whole)
  }

  @Test(
    "behind the end cannot be satisfied",
    arguments: [("bytes=10-", 10), ("bytes=10-20", 10), ("bytes=-0", 10), ("bytes=0-", 0)]
      as [(String, Int64)])
  func unsatisfiable(field: String, length: Int64) {
    #expect(ByteRange(field, of: length) == .unsatisfiable)
    #expect(ByteRange("bytes=99999999999999999999-", of: length) == .unsatisfiable)
  }
}
