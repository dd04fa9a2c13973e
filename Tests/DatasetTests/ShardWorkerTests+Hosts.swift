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

  @Test("A sample that waits for its host does not come closer to its deadline")
  func waitingForHost() async throws {
    let urls = (0..<3).map { "http://example.org/\($0)" }
    let outcome = try await Self.serve(
      Self.input(urls, #","max_per_host":1,"sample_deadline":0.2"#)
    ) { url, _ in
      // The first transfer ends with its deadline only.
      url.description.hasSuffix("/0") ? .never : .body([1])
    }
    #expect(outcome.lines.last?.contains(#""successes":2"#) == true)
  }
}
