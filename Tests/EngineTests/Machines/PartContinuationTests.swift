import Hashing
import Models
import Testing

@testable import Engine

@Suite("Which bytes a request may continue") struct PartContinuationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var url: String? = "http://a/f"
    var tag: String? = "\"1\""
    var date: String?
    var total: Int64? = 100
    var candidate = "http://a/f"
    var isOwn = true
    var hasDigest = false
    var expected: PartContinuation
    var testDescription: String { name }
  }

  private static let date = "Tue, 01 Jul 2025 10:00:00 GMT"

  static let cases: [Case] = [
    Case(name: "same URL, strong tag", expected: .sameVersion(ifRange: "\"1\"")),
    Case(name: "same URL, date", tag: nil, date: date, expected: .sameVersion(ifRange: date)),
    Case(name: "same URL, tag and date", date: date, expected: .sameVersion(ifRange: "\"1\"")),
    Case(name: "same URL, weak tag", tag: "W/\"1\"", date: date, expected: .none),
    Case(name: "same URL, no validator", tag: nil, expected: .none),
    Case(name: "same URL, digest", hasDigest: true, expected: .sameVersion(ifRange: "\"1\"")),
    Case(
      name: "same URL, weak tag, digest", tag: "W/\"1\"", hasDigest: true,
      expected: .verifiedByChecksum),
    Case(
      name: "same URL, answered by another origin", url: "http://a/f https://cdn",
      expected: .sameVersion(ifRange: "\"1\"")),
    Case(
      name: "other URL, answered by the candidate's origin", url: "http://b/f http://a",
      expected: .none),
    Case(name: "the same mirror", isOwn: false, expected: .sameVersion(ifRange: "\"1\"")),
    Case(
      name: "same mirror, date", tag: nil, date: date, isOwn: false,
      expected: .sameVersion(ifRange: date)),
    Case(name: "other server, strong tag", candidate: "http://b/f", isOwn: false, expected: .none),
    Case(
      name: "other server, date", tag: nil, date: date, candidate: "http://b/f", isOwn: false,
      expected: .none),
    Case(
      name: "other path of the server, date", tag: nil, date: date, candidate: "http://a/g",
      isOwn: false, expected: .none),
    Case(name: "other path, strong tag", candidate: "http://a/g", isOwn: false, expected: .none),
    Case(
      name: "other server, digest", candidate: "http://b/f", isOwn: false, hasDigest: true,
      expected: .verifiedByChecksum),
    Case(
      name: "other server, digest, no length", total: nil, candidate: "http://b/f", isOwn: false,
      hasDigest: true, expected: .none),
    Case(name: "a mirror's bytes, own URL", url: "http://b/f", expected: .none),
    Case(
      name: "a mirror's bytes, own URL, digest", url: "http://b/f", hasDigest: true,
      expected: .verifiedByChecksum),
    Case(name: "unknown URL, own URL", url: nil, expected: .sameVersion(ifRange: "\"1\"")),
    Case(name: "unknown URL, mirror", url: nil, isOwn: false, expected: .none),
    Case(
      name: "unknown URL, mirror, digest", url: nil, isOwn: false, hasDigest: true,
      expected: .verifiedByChecksum),
    Case(name: "several URLs, own URL", url: nil, tag: nil, expected: .none),
    Case(name: "several URLs, mirror", url: nil, tag: nil, isOwn: false, expected: .none),
    Case(
      name: "several URLs, digest", url: nil, tag: nil, hasDigest: true,
      expected: .verifiedByChecksum),
    Case(
      name: "rows of tiles, digest", url: nil, tag: nil, total: nil, hasDigest: true,
      expected: .none),
  ]

  @Test("Bytes are joined under a URL's own validator, or under a stored digest", arguments: cases)
  func decides(_ test: Case) {
    let part = PartContinuation.Part(
      url: test.url,
      validator: Validator(
        entityTag: test.tag.flatMap { EntityTag($0) }, lastModified: test.date),
      totalBytes: test.total)
    let candidate = PartContinuation.Candidate(url: test.candidate, isOwn: test.isOwn)
    let checksum = test.hasDigest ? Checksum(SHA256Hasher.hash(of: [1, 2, 3])) : nil
    let continuation = PartContinuation(of: part, by: candidate, checksum: checksum)
    #expect(continuation == test.expected)
    let after = continuation.appended(to: part, by: candidate)
    switch continuation {
    case .none: #expect(after == part)
    case .sameVersion:
      #expect(after.url == test.url ?? test.candidate && after.validator == part.validator)
    // Without the digest, no URL may continue the joined bytes.
    case .verifiedByChecksum:
      for isOwn in [true, false] {
        let next = PartContinuation.Candidate(url: test.candidate, isOwn: isOwn)
        #expect(PartContinuation(of: after, by: next, checksum: nil) == .none)
        #expect(PartContinuation(of: after, by: next, checksum: checksum) == .verifiedByChecksum)
      }
    }
  }
}
