import DatasetWorker
import Models
import Testing

/// The transfers of a shard from one host.
extension ShardWorkerTests {
  @Test("A host has at most as many transfers at a time as the shard allows")
  func transfersPerHost() async throws {
    let urls = (0..<300).map { "http://\($0 % 3 == 0 ? "a" : "b").example.org/\($0)" }
    for (limit, most) in [(1, 2), (3, 6)] {
      let transport = FakeTransport { url, _ in .body(Array(url.description.utf8)) }
      let outcome = try await Self.serve(
        Self.input(urls, #","max_per_host":\#(limit)"#), transport)
      #expect(outcome.lines.last?.contains(#""successes":300"#) == true)
      #expect(transport.mostInFlight <= most)
    }
  }
}
