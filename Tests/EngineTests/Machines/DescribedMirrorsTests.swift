import HTTP1
import Hashing
import Manifests
import Models
import Testing
import Transport

@testable import Engine

@Suite struct DescribedMirrorsTests {
  private static let digest = SHA256Hasher.hash(of: [1])
  private static let other = SHA256Hasher.hash(of: [2])

  private static func file(
    _ name: String?, _ digest: Digest? = digest, size: Int64? = nil, mirrors: [String] = []
  ) throws -> ManifestEntry {
    ManifestEntry(
      url: try HTTPURL("http://m/f"), name: name, checksum: digest.map { Checksum($0) },
      byteCount: size,
      mirrors: mirrors, index: 0)
  }

  private static func content(
    _ digests: [Digest] = [], sizes: [Int64] = [], stated: Digest? = nil
  ) -> DescribedMirrors {
    DescribedMirrors(
      name: "f.bin", listedDigests: digests, listedSizes: sizes, statedDigest: stated)
  }

  @Test("The file with the content's name is taken, or the only one")
  func files() throws {
    let content = Self.content()
    let own = try Self.file("f.bin", mirrors: ["http://n/f", "http://s/iiif#iiif"])
    let foreign = try Self.file("g.bin", Self.other)
    #expect(
      try content.candidates(in: [foreign, own]).map(\.url.description) == [
        "http://m/f", "http://n/f",
      ])
    #expect(try content.candidates(in: [foreign]).map(\.identity) == [.digest(Self.other)])
    #expect(try content.candidates(in: [Self.file(nil)]).count == 1)
    for (files, reason) in [
      ([], "has no file with a usable URL"),
      ([foreign, foreign], "has 2 files, none of which has the name of the URL"),
    ] as [([ManifestEntry], String)] {
      #expect(throws: DescribedMirrors.Problem(reason: reason)) {
        try content.candidates(in: files)
      }
    }
  }

  @Test("The only usable file is another content if the content's own is not usable")
  func problems() throws {
    let (content, problems) = (Self.content(), ["the file \"f.bin\" is wrong"])
    #expect(
      try content.candidates(in: [Self.file("f.bin")], problems: ["the file \"x\" is wrong"]).count
        == 1)
    let reason = "cannot be used: \(problems[0])"
    #expect(throws: DescribedMirrors.Problem(reason: reason)) {
      try content.candidates(in: [Self.file("g.bin")], problems: problems)
    }
  }

  struct Statement: Sendable, CustomTestStringConvertible {
    let name: String
    let content: DescribedMirrors
    var digest: Digest?
    var size: Int64?
    /// The digest that the mirrors must deliver; nil if the description is of no use.
    let expected: Digest?
    /// The party that a message about another digest names.
    var source = MirrorSelection.IdentitySource.description
    var testDescription: String { name }
  }

  @Test(
    "A description must not contradict the lists or the response, and a digest must be known",
    arguments: [
      Statement(name: "only the description", content: content(), digest: digest, expected: digest),
      Statement(name: "only the list", content: content([digest]), expected: digest, source: .list),
      Statement(
        name: "only the response", content: content(stated: digest), expected: digest,
        source: .response),
      Statement(name: "none", content: content(), expected: nil),
      Statement(
        name: "all the same", content: content([digest, digest], sizes: [7], stated: digest),
        digest: digest, size: 7, expected: digest),
      Statement(
        name: "not the list's", content: content([digest]), digest: other, expected: nil),
      Statement(
        name: "not that of one of two lists", content: content([other, digest]), digest: other,
        expected: nil),
      Statement(
        name: "not the response's", content: content(stated: digest), digest: other,
        expected: nil),
      Statement(
        name: "another size", content: content(sizes: [8]), digest: digest, size: 7,
        expected: nil),
    ])
  func statements(_ statement: Statement) throws {
    let file = try Self.file("f.bin", statement.digest, size: statement.size)
    let found = try? statement.content.candidates(in: [file])
    #expect(found?.map(\.identity) == statement.expected.map { [.digest($0)] })
    #expect(found?.allSatisfy { $0.identitySource == statement.source } ?? true)
  }

  @Test("A description is resolved against its response, and must not be easier to forge")
  func links() throws {
    let metalink = "rel=describedby; type=\"application/metalink4+xml\""
    let table: [(Int, String, String, String?, ContentDescription?)] = [
      (
        200, "https://h/a/f", "f.meta4", "93.184.216.34",
        ContentDescription(
          try HTTPURL("https://h/a/f.meta4"), digest: nil, isPublicOnly: true,
          receivesFields: true)
      ),
      (
        206, "http://h/a/f", "/m", "10.0.0.1",
        ContentDescription(
          try HTTPURL("http://h/m"), digest: nil, isPublicOnly: false, receivesFields: true)
      ),
      (
        200, "http://h/a/f", "http://o/m", nil,
        ContentDescription(
          try HTTPURL("http://o/m"), digest: nil, isPublicOnly: true, receivesFields: false)
      ),
      (200, "https://h/a/f", "http://h/m", nil, nil),
      (200, "http://h/a/f", "ftp://h/m", nil, nil),
      (404, "http://h/a/f", "m", nil, nil),
    ]
    for (status, url, target, address, expected) in table {
      let url = try HTTPURL(url)
      var log = ResponseLog()
      log.recordHead(
        ResponseHead(
          status: status, url: url, fields: HTTPFields(["Link": "<\(target)>; \(metalink)"]),
          remoteAddress: address))
      #expect(log.description(ofContentAt: url) == expected, "\(status) \(url) \(target)")
    }
    #expect(ResponseLog().description(ofContentAt: try HTTPURL("http://h/")) == nil)
  }

  @Test("A description behind a redirect that has left the origin receives no fields")
  func redirected() throws {
    let url = try HTTPURL("http://h/f")
    var log = ResponseLog()
    let fields = HTTPFields([
      "Link": "<m>; rel=describedby; type=\"application/metalink4+xml\""
    ])
    log.recordHead(ResponseHead(status: 200, url: url, fields: fields, hasLeftOrigin: true))
    #expect(log.description(ofContentAt: url)?.receivesFields == false)
  }
}
