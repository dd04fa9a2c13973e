import HTTP1
import Models
import Testing

@Suite("Digests and duplicates of a response")
struct RepresentationDigestTests {
  /// The SHA-256 of no bytes, and another one.
  private static let empty = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
  private static let other = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
  private static let digest = Digest(Base64.decode(empty) ?? [])

  private struct Row: CustomTestStringConvertible, Sendable {
    let fields: HTTPFields
    let isStated: Bool
    var testDescription: String {
      fields.fields.map { "\($0.name): \($0.value)" }.joined(separator: " | ")
    }

    init(_ fields: KeyValuePairs<String, String>, _ isStated: Bool) {
      self.fields = HTTPFields(fields)
      self.isStated = isStated
    }
  }

  private static let rows: [Row] = [
    Row(["Repr-Digest": "sha-256=:\(empty):"], true),
    Row(["repr-digest": "sha-512=:AAAA:, sha-256=:\(empty):;x=1"], true),
    Row(["Digest": "SHA-256=\(empty)"], true),
    Row(["Digest": "MD5=x==,sha-256=\(empty)"], true),
    Row(["Digest": "SHA-256=\(empty)", "Repr-Digest": "sha-256=:\(empty):"], true),
    Row(["Digest": "SHA-256=\(empty)", "Content-Encoding": "identity"], true),
    Row(["Digest": "SHA-256=\(empty)", "Content-Encoding": "utf-8"], true),
    Row(["Digest": "SHA-256=\(empty)", "Content-Encoding": "gzip"], false),
    Row(["Digest": "SHA-256=\(empty)", "Repr-Digest": "sha-256=:\(other):"], false),
    Row(["Digest": "SHA-256=\(empty)", "digest": "SHA-256=x"], false),
    Row(["Content-Digest": "sha-256=:\(empty):"], false),
    Row(["Repr-Digest": "sha-256=\(empty)"], false),
    Row(["Repr-Digest": "sha-256=:"], false),
    Row(["Repr-Digest": "sha-256=::"], false),
    Row(["Repr-Digest": "sha-256"], false),
    Row(["Digest": "SHA-256=\(empty.dropLast())"], false),
    Row(["Digest": "SHA-256=\(empty)\(empty)"], false),
    Row(["Digest": "SHA-256="], false),
    Row(["Digest": ""], false),
    Row([:], false),
  ]

  @Test("The SHA-256 of the representation is found", arguments: rows)
  private func digest(row: Row) {
    #expect(RepresentationDigest.sha256(in: row.fields) == (row.isStated ? Self.digest : nil))
  }

  @Test("The SHA-512 is found if there is no SHA-256")
  func longDigest() throws {
    let bytes = [UInt8](repeating: 7, count: 64)
    let (long, expected) = (Base64.encode(bytes), try #require(Checksum(bytes)))
    let short = try #require(Self.digest.map { Checksum($0) })
    for (name, value, checksum) in [
      ("Repr-Digest", "sha-512=:\(long):", expected), ("Digest", "sha-512=\(long)", expected),
      ("Repr-Digest", "sha-512=:\(long):, sha-256=:\(Self.empty):", short),
      ("Repr-Digest", "sha-512=:\(long):, sha-256=:x:", expected),
      ("Repr-Digest", "sha-512=:\(Self.empty):", nil), ("Repr-Digest", "md5=:\(long):", nil),
    ] as [(String, String, Checksum?)] {
      var fields = HTTPFields([name: value])
      #expect(RepresentationDigest.checksum(in: fields) == checksum)
      fields.append("Content-Encoding", "br")
      #expect(RepresentationDigest.checksum(in: fields) == nil)
    }
  }

  private static let links =
    "<c>; rel=duplicate, <b>; rel=\"duplicate\"; pri=2; pref, <a>; rel=duplicate; pri=1; geo=de,"
    + " <n>; rel=next, <z>; rel=duplicate; pri=0, <>; rel=duplicate; pri=1"

  @Test("Duplicates are sorted by priority, and need something that proves them")
  func duplicates() throws {
    func fields(_ name: String, _ value: String) -> HTTPFields {
      var fields = HTTPFields(["Link": Self.links])
      fields.append(name, value)
      return fields
    }
    let stated = try #require(DuplicateLinks(fields("Digest", "SHA-256=\(Self.empty)")))
    #expect(stated.identity == .digest(try #require(Self.digest)))
    #expect(stated.targets == ["a", "b", "c", "z"])
    let tag = try #require(EntityTag("\"v\""))
    let tagged = try #require(DuplicateLinks(fields("ETag", "\"v\"")))
    #expect(tagged.identity == .entityTag(tag) && tagged.targets == ["b"])
    #expect(DuplicateLinks(fields("ETag", "W/\"v\"")) == nil)
    #expect(DuplicateLinks(HTTPFields(["Link": Self.links])) == nil)
    #expect(DuplicateLinks(HTTPFields(["Digest": "SHA-256=\(Self.empty)"])) == nil)
  }

  @Test("Duplicates are bounded")
  func bounds() {
    let links = (0..<100).map { "<\($0)>; rel=duplicate; pri=\(100 - $0)" }
    let fields = HTTPFields([
      "Link": links.joined(separator: ", "), "Digest": "SHA-256=\(Self.empty)",
    ])
    #expect(DuplicateLinks(fields)?.targets.first == "99")
    #expect(DuplicateLinks(fields)?.targets.count == DuplicateLinks.limit)
  }
}
