import Gzip
import TestSupport
import Testing

@Suite("gzip")
struct GzipReaderTests {
  private func decode(
    _ bytes: [UInt8], pieces: Int = .max, limit: Int = .max
  ) -> Result<[UInt8], GzipReader.Failure> {
    let reader = GzipReader()
    var output: [UInt8] = []
    return Result { () throws(GzipReader.Failure) in
      var start = 0
      while start < bytes.count {
        let end = start + min(pieces, bytes.count - start)
        let goesOn = try reader.read(Array(bytes[start..<end]).span.bytes) { decoded in
          output += decoded.withUnsafeBytes { Array($0) }
          return output.count <= limit
        }
        guard goesOn else { return output }
        start = end
      }
      try reader.finish()
      return output
    }
  }

  private let text = Array("[\"http://a.example/1.jpg\", \"http://a.example/2.jpg\"]".utf8)

  @Test("A member comes out as it went in, in pieces of any size", arguments: [1, 2, 7, 1_000])
  func pieces(size: Int) {
    #expect(decode(GzipMember.of(text), pieces: size) == .success(text))
    let long = [UInt8](repeating: 7, count: 300_000) + text
    #expect(decode(GzipMember.of(long), pieces: size) == .success(long))
    #expect(decode(GzipMember.of([]), pieces: size) == .success([]))
  }

  @Test("Cut off anywhere it is an error")
  func truncation() {
    let member = GzipMember.of(text)
    for count in 0..<member.count {
      #expect(decode(Array(member[..<count])) == .failure(.truncated))
    }
  }

  @Test("A wrong checksum, a wrong length and other damage are errors")
  func damage() {
    for bad in [
      GzipMember.of(text, checksum: 1), GzipMember.of(text, length: 1), text,
      GzipMember.wrap([0xff, 0xff], 0, 0), Array(GzipMember.of(text).dropFirst(10)),
    ] {
      guard case .failure(.damaged) = decode(bad) else {
        Issue.record("was taken")
        continue
      }
    }
  }

  @Test("Nothing may follow, be it another member or a zero", arguments: [1, 1_000])
  func trailing(size: Int) {
    let member = GzipMember.of(text)
    #expect(decode(member + [0], pieces: size) == .failure(.trailingData))
    #expect(decode(member + member, pieces: size) == .failure(.trailingData))
  }

  @Test("A bomb is stopped when enough has come out")
  func bomb() throws {
    let count = 512 << 20
    let deflated = Deflate.compress(repeating: 0, count: count)
    let bytes = try decode(
      GzipMember.wrap(deflated, 0, UInt32(truncatingIfNeeded: count)), limit: 1 << 20
    ).get()
    #expect(bytes.count > 1 << 20 && bytes.count <= (1 << 20) + 65_536)
  }
}
