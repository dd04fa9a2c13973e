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

  @Test("The contents of several members follow one another", arguments: [1, 7, 1_000, .max])
  func members(size: Int) {
    let (member, empty) = (GzipMember.of(text), GzipMember.of([]))
    #expect(decode(member + empty + member, .gzip, size: size) == .success(text + text))
    for count in stride(from: 1, to: member.count, by: 101) {
      #expect(decode(member + member.prefix(count), .gzip, size: size) == .failure(.truncated))
    }
    guard case .failure(.damaged) = decode(member + [0x1f, 0], .gzip, size: size) else {
      Issue.record("was decoded")
      return
    }
    #expect(decode(member + empty + [0], .gzip, size: size) == .failure(.trailingData))
  }
}
