import Control
import Engine
import TestSupport
import Testing

@Suite("The end of a server")
struct FarewellTests {
  @Test("what happened before it reaches everybody who follows")
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
}
