import ContentCodings
import TestSupport
import Testing

/// The rules of gzip alone.
@Suite("gzip")
struct GzipDecoderTests {
  private let text = CodedSample.lines

  @Test("A wrong checksum, a wrong length and other damage are errors")
  func damage() {
    for bad in [
      GzipMember.of(text, checksum: 1), GzipMember.of(text, length: 1), text,
      GzipMember.wrap([0xff, 0xff], 0, 0), Array(GzipMember.of(text).dropFirst(10)),
    ] {
      guard case .failure(.damaged) = decode(bad, .gzip) else {
        Issue.record("was decoded")
        continue
      }
    }
  }

  @Test("Another member must not follow", arguments: [1, 1_000])
  func members(size: Int) {
    let member = GzipMember.of(text)
    #expect(decode(member + member, .gzip, size: size) == .failure(.trailingData))
  }
}
