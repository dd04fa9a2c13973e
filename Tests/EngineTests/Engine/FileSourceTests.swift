import Hashing
import HTTP1
import Models
import Testing
import TestSupport

@testable import Engine

/// Sources that are not lists, but the content of one resource.
@Suite(.timeLimit(.minutes(60))) struct FileSourceTests {
  @Test("A source that is itself the content has the mirrors of its response")
  func mirrors() async throws {
    var random = SeededGenerator(seed: 5)
    let content = random.bytes(100_000)
    let (first, second) = ("http://a/f.bin", "http://b/f.bin")
    let answer = FakeAnswer.file(content).with("Link", "<\(second)>; rel=duplicate")
      .with("Digest", "SHA-256=" + Base64.encode(SHA256Hasher.hash(of: content).bytes))
    let lab = try Lab()
    lab.settings.network.retries = 2
    lab.web.serve(first, answer, answer.cut(after: 50_000), FakeAnswer(status: 404))
    lab.web.serve(second, .file(content, tag: nil))
    try await lab.run(first)
    try await lab.checkLibrary()
    #expect(lab.incomingFiles.isEmpty)
    let resource = try #require(try await lab.allResources().first)
    #expect(resource.state == .finished && resource.url == first)
    #expect(lab.web.requests.last?.url == second)
  }
}
