import DatasetWorker
import Models
import TestSupport
import Testing

/// The deadline of a shard.
extension ShardWorkerTests {
  @Test("A transfer that never ends does not delay the shard beyond its deadline")
  func deadline() async throws {
    let urls = (0..<100).map { "http://example.org/\($0)" }
    let transport = FakeTransport { url, _ in
      url.description.hasSuffix("/99") ? .never : .body(Array(url.description.utf8))
    }
    // The worker looks at its clock at least as often as the deadline is long.
    let clock = ManualClock()
    let outcome = try await Self.serve(
      Self.input(urls, #","shard_deadline":0.05,"thread_count":8"#), transport, clock: clock
    ) { reported in
      if reported == 99 { clock.advance(by: 0.05) }
    }
    #expect(outcome.error == nil)
    #expect(outcome.lines.count == 101)
    #expect(outcome.lines[99].contains("the deadline of the shard was reached"))
    #expect(outcome.lines.last?.contains(#""successes":99"#) == true)
  }
}
