import Testing
import TestSupport
@testable import Control

@Suite("The end of a server")
struct FarewellTests {
  @Test("sends the preceding events to every reader")
  func events() async throws {
    try await withStage { stage in
      let client = try await stage.connect()
      let events = await client.eventStream()
      await stage.library.emit(count: 500)
      await stage.server.stop()
      var count = 0
      for await _ in events { count += 1 }
      #expect(count == 500)
      await client.close()
    }
  }

  @Test("does not use the library afterwards")
  func silence() async throws {
    try await withStage { stage in
      let reader = try await SSEConnection(stage, "/v1/events?progress=1")
      #expect(try await reader.next().name == "snapshot")
      #expect(try await reader.next().name == "progress")
      await stage.library.emit(count: 200)
      await stage.server.stop()
      let calls = stage.library.statusCalls.value
      for _ in 0..<1_000 { await Task.yield() }
      #expect(stage.library.statusCalls.value == calls)
    }
  }
}
