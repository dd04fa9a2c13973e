import LibraryAPI
import Models
import ProgressTree
import Testing
import TestSupport
@testable import Control

/// Progress only of what a client looks at.
@Suite struct ProgressScopeTests {
  private static func library() async -> MemoryLibrary {
    let library = MemoryLibrary()
    await library.change { status in
      status.active = 2
      status.progress.total = 40
      status.progress.records = (1...4).map {
        RecordProgress(
          id: RecordID($0), title: "r\($0)", total: 10, finished: 0, failed: 0,
          activity: ActivityCounts(), fraction: 0, bytes: 0)
      }
      status.progress.active = (1...4).map {
        ActiveResource(
          id: ResourceID($0), record: RecordID($0), label: "x", activity: .rendering)
      }
    }
    return library
  }

  private static func records(_ event: EventStreamReader.Event) throws -> [Int64] {
    #expect(event.name == "progress")
    let message = try JSONText.decode(ProgressMessage.self, from: event.data)
    #expect(message.total == 40, "the sums are those of the library")
    #expect(message.active.map(\.record) == message.records.map(\.id))
    return message.records.map(\.id)
  }

  @Test(
    "of the records that are named, of none, or of all",
    arguments: [("", [1, 2, 3, 4]), ("&records=2,4,9", [2, 4]), ("&records=", [])])
  func named(_ query: String, _ expected: [Int64]) async throws {
    try await withStage(await Self.library()) { (stage) async throws in
      let reader = try await SSEConnection(stage, "/v1/events?progress=1\(query)")
      #expect(try await reader.next().name == "snapshot")
      #expect(try Self.records(try await reader.next()) == expected)
    }
  }

  @Test("of what a viewer looks at, as that changes; readers of different things do not mix")
  func viewer() async throws {
    let clock = ManualClock()
    try await withStage(await Self.library(), clock: clock) { (stage) async throws in
      let reader = try await SSEConnection(stage, "/v1/events?progress=1&viewer=7")
      let other = try await SSEConnection(stage, "/v1/events?progress=1&records=1")
      #expect(try await reader.next().name == "snapshot")
      #expect(try Self.records(try await reader.next()) == [])
      #expect(try await other.next().name == "snapshot")
      try await clock.ticking(by: 0.02) { () async throws in
        #expect(try Self.records(try await other.next()) == [1])
      }
      let look = try await stage.ask(
        "PUT", "/v1/viewers/7/records/3", body: "{\"from\":0,\"to\":5}")
      #expect(look?.status == 204)
      try await clock.ticking(by: 0.02) { () async throws in
        #expect(try Self.records(try await reader.next()) == [3])
      }
      #expect(try await stage.ask("DELETE", "/v1/viewers/7/records/3")?.status == 204)
      try await clock.ticking(by: 0.02) { () async throws in
        #expect(try Self.records(try await reader.next()) == [])
      }
    }
  }

  @Test(
    "what cannot be understood is refused",
    arguments: [
      "progress=2", "progress=1&records=a", "progress=1&records=1,", "progress=1&viewer=-1",
    ])
  func refused(_ query: String) async throws {
    try await withStage { (stage) async throws in
      #expect(try await stage.ask("GET", "/v1/events?\(query)")?.status == 400)
    }
  }
}
