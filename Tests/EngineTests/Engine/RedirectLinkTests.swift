import Hashing
import LibraryAPI
import Models
import Persistence
import Synchronization
import TestSupport
import Testing
import Transport

@testable import Engine

/// Servers that redirect to a mirror and name the other ones in the redirect (RFC 6249).
@Suite(.timeLimit(.minutes(60))) struct RedirectLinkTests {
  private static let (own, dead, mirror) = (
    "http://a/f.bin", "http://b/f.bin", "http://c/f.bin"
  )
  private static let description = "http://a/f.bin.meta4"

  private static let content: [UInt8] = {
    var random = SeededGenerator(seed: 7)
    return random.bytes(100_000)
  }()

  private func lab(_ lines: String...) throws -> Lab {
    let lab = try Lab()
    lab.settings.network.retries = 1
    let text = lines.isEmpty ? Self.own : lines.joined(separator: "\n")
    lab.web.serve(Lab.list, FakeAnswer(body: Array(text.utf8)))
    return lab
  }

  private func run(_ lab: Lab) async throws -> Resource {
    try await lab.run()
    try await lab.checkLibrary()
    #expect(lab.incomingFiles.isEmpty)
    return try #require(try await lab.allResources().first)
  }

  /// The URLs that were requested for the resource, in their order and without repetitions.
  private func requests(_ lab: Lab) -> [String] {
    lab.web.requests.dropFirst().map(\.url).reduce(into: []) { urls, url in
      if urls.last != url { urls.append(url) }
    }
  }

  private static func digest(of bytes: [UInt8]) -> String {
    "SHA-256=" + Base64.encode(SHA256Hasher.hash(of: bytes).bytes)
  }

  private static func duplicate(_ url: String = mirror, of bytes: [UInt8] = content) -> HTTPFields {
    HTTPFields(["Link": "<\(url)>; rel=duplicate", "Digest": digest(of: bytes)])
  }

  private static let described = HTTPFields([
    "Link": "<f.bin.meta4>; rel=describedby; type=\"application/metalink4+xml\""
  ])

  private static func document() -> FakeAnswer {
    let text = """
      <metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="f.bin">
      <hash type="sha-256">\(SHA256Hasher.hash(of: content))</hash><url>\(mirror)</url>
      </file></metalink>
      """
    return FakeAnswer(body: Array(text.utf8)).with("Content-Type", "application/metalink4+xml")
  }

  @Test(
    "A duplicate delivers the content if the mirror that was chosen cannot",
    arguments: [
      FakeAnswer.failure(.connectionRefused), .failure(.dns), .failure(.connectTimeout),
      .failure(.tls), FakeAnswer(status: 404), FakeAnswer(status: 500),
    ])
  func duplicate(dead: FakeAnswer) async throws {
    let lab = try lab()
    lab.web.serve(Self.own, dead.redirected(to: Self.dead, with: Self.duplicate()))
    lab.web.serve(Self.mirror, .file(Self.content))
    let resource = try await run(lab)
    #expect(resource.state == .finished && resource.url == Self.own)
    #expect(resource.mirrors.isEmpty && resource.file?.answer == nil)
    #expect(try lab.bytes(resource, try #require(try await lab.records().first)) == Self.content)
    #expect(lab.web.requests.dropFirst().map(\.url) == [Self.own, Self.mirror])
    let last = try #require(lab.web.requests.last)
    #expect(last.addresses == .publicOnly && last.isNamedByResponse)
  }

  @Test("A duplicate must have the digest of the redirect")
  func digest() async throws {
    let lab = try lab()
    lab.web.serve(
      Self.own,
      FakeAnswer.failure(.connectionRefused).redirected(to: Self.dead, with: Self.duplicate()))
    lab.web.serve(Self.mirror, .file(Self.content.reversed()))
    let resource = try await run(lab)
    #expect(resource.state == .failed)
    let reason = resource.reason ?? ""
    #expect(reason.contains("the first server states"), "\(reason)")
  }

  @Test("A description delivers the content if the mirror that was chosen cannot")
  func description() async throws {
    let lab = try lab()
    lab.web.serve(
      Self.own,
      FakeAnswer.failure(.connectionRefused).redirected(to: Self.dead, with: Self.described))
    lab.web.serve(Self.description, Self.document())
    lab.web.serve(Self.mirror, .file(Self.content))
    let resource = try await run(lab)
    #expect(resource.state == .finished)
    #expect(try lab.bytes(resource, try #require(try await lab.records().first)) == Self.content)
    #expect(requests(lab) == [Self.own, Self.description, Self.mirror])
  }

  @Test("A mirror that breaks off is followed by the duplicate of the redirect")
  func brokenOff() async throws {
    let lab = try lab()
    lab.web.serve(
      Self.own,
      FakeAnswer.file(Self.content).cut(after: 50_000)
        .redirected(to: Self.dead, with: Self.duplicate()),
      FakeAnswer.failure(.connectionRefused).redirected(to: Self.dead))
    lab.web.serve(Self.mirror, .file(Self.content, tag: "\"other\""))
    let resource = try await run(lab)
    #expect(resource.state == .finished)
    #expect(try lab.bytes(resource, try #require(try await lab.records().first)) == Self.content)
    #expect(requests(lab) == [Self.own, Self.mirror])
  }

  @Test("A redirect of another origin is not believed")
  func otherOrigin() async throws {
    let lab = try lab()
    var both = Self.duplicate()
    both.append("Link", "<f.bin.meta4>; rel=describedby; type=\"application/metalink4+xml\"")
    lab.web.serve(
      Self.own,
      FakeAnswer.failure(.connectionRefused)
        .redirected(to: "http://o/f.bin").redirected(to: Self.dead, with: both))
    lab.web.serve(Self.mirror, .file(Self.content))
    lab.web.serve("http://o/f.bin.meta4", Self.document())
    #expect(try await run(lab).state == .failed)
    #expect(requests(lab) == [Self.own])
  }

  @Test("An entity tag of a redirect is no proof")
  func entityTag() async throws {
    let lab = try lab()
    let fields = HTTPFields(["Link": "<\(Self.mirror)>; rel=duplicate; pref", "ETag": "\"v1\""])
    lab.web.serve(
      Self.own, FakeAnswer.failure(.connectionRefused).redirected(to: Self.dead, with: fields))
    lab.web.serve(Self.mirror, .file(Self.content))
    #expect(try await run(lab).state == .failed)
    #expect(requests(lab) == [Self.own])
  }

  @Test("Nothing is followed when the mirror that was chosen delivers the content")
  func success() async throws {
    let lab = try lab(Self.own, "http://a/g.bin")
    lab.web.serve(
      Self.own, .file(Self.content).redirected(to: Self.dead, with: Self.duplicate()))
    lab.web.serve(
      "http://a/g.bin", .file(Lab.image(1)).redirected(to: Self.dead, with: Self.described))
    lab.web.serve(Self.mirror, .file(Self.content))
    lab.web.serve(Self.description, Self.document())
    try await lab.run()
    try await lab.checkLibrary()
    #expect(try await lab.disk.totals().finished == 2)
    #expect(Set(lab.web.requests.dropFirst().map(\.url)) == [Self.own, "http://a/g.bin"])
  }

  @Test("The fields of the list do not go to a duplicate of another origin")
  func credentials() async throws {
    let lab = try lab(Self.own, " header=Authorization: Bearer s")
    lab.web.serve(
      Self.own,
      FakeAnswer.failure(.connectionRefused).redirected(to: Self.dead, with: Self.duplicate()))
    lab.web.serve(Self.mirror, .file(Self.content))
    #expect(try await run(lab).state == .finished)
    let sent = lab.web.requests.dropFirst().map { $0.fields["Authorization"] }
    #expect(sent == ["Bearer s", nil])
  }
}
