import Models
import Persistence
import Testing

@testable import Engine

/// The files of a list that is added again, after it has signed its URLs anew.
@Suite struct SignedAnewTests {
  private static func url(_ name: String, _ signature: String) -> String {
    "http://h/\(name)?Expires=1&Signature=\(signature)"
  }

  private static func key(_ url: String, _ fields: HTTPFields = HTTPFields()) -> RequestKey {
    var naming = RequestNaming(common: HTTPFields())
    return naming.name(url, fields, isPublic: true).request
  }

  private static func resource(
    _ id: Int64, _ url: String, hasFile: Bool = true, fields: HTTPFields = HTTPFields()
  ) -> Resource {
    var resource = Resource(
      id: ResourceID(id), record: RecordID(1), index: Int(id), url: url, fields: fields)
    if hasFile {
      resource.file = StoredFile(
        name: "a", byteCount: 1, digest: Digest(words: (0, 0, 0, 0)), format: .png,
        answer: StoredFile.Answer(request: key(url, fields), asOf: ResourceID(7)))
    }
    return resource
  }

  private func changes(
    _ urls: [String], _ resources: [Resource], fields: HTTPFields = HTTPFields()
  ) throws -> [ResourceChange] {
    var matching = SignedAnew()
    for url in urls {
      matching.add(try #require(UnsignedURL(url)), fields, Self.key(url, fields))
    }
    matching.add(
      resources, earlier: { Self.key($0.url, $0.fields) }, new: { Self.key($0, $1) })
    return matching.changes
  }

  private func answering(_ id: Int64, _ url: String) -> ResourceChange {
    .answering(
      ResourceID(id), StoredFile.Answer(request: Self.key(url), asOf: ResourceID(7)))
  }

  @Test("A file answers the request for the only URL that differs in its signature")
  func onlyOnes() throws {
    #expect(
      try changes(
        [Self.url("a", "2"), Self.url("b", "2"), Self.url("c", "2")],
        [
          Self.resource(1, Self.url("b", "1")),
          Self.resource(2, Self.url("a", "1"), hasFile: false),
          Self.resource(3, Self.url("a", "1")), Self.resource(4, Self.url("d", "1")),
        ]) == [answering(1, Self.url("b", "2")), answering(3, Self.url("a", "2"))])
  }

  @Test("Nothing tells which of several URLs is the same, and a URL that is listed is no other")
  func severalURLs() throws {
    let (old, new) = (Self.url("a", "1"), Self.url("a", "2"))
    let third = Self.url("a", "3")
    #expect(try changes([new, third], [Self.resource(1, old)]) == [])
    #expect(try changes([new], [Self.resource(1, old), Self.resource(2, third)]) == [])
    #expect(
      try changes([new], [Self.resource(1, old), Self.resource(2, third, hasFile: false)]) == [])
    #expect(try changes([new], [Self.resource(1, old), Self.resource(2, new)]) == [])
    #expect(try changes([new], [Self.resource(1, old)]) == [answering(1, new)])
  }

  @Test("Requests with other fields have other answers")
  func fields() throws {
    let key = HTTPFields(["X-Key": "1"])
    let (old, new) = (Self.url("a", "1"), Self.url("a", "2"))
    #expect(try changes([new], [Self.resource(1, old)], fields: key) == [])
    #expect(try changes([new], [Self.resource(1, old, fields: key)]) == [])
    #expect(try changes([new], [Self.resource(1, old, fields: key)], fields: key).count == 1)
  }
}
