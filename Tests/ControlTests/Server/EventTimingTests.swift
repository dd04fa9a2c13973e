import LibraryAPI
import Models
import ProgressTree
import Testing
import TestSupport
@testable import Control

@Suite("Events and time")
struct EventTimingTests {
  @Test("progress is sent while something runs, at most ten times a second, and only on request")
  func progress() async throws {
    let clock = ManualClock()
    try await withStage(clock: clock) { (stage) async throws in
      let plain = try await SSEConnection(stage)
      #expect(try await plain.next().name == "snapshot")
      await stage.library.change { $0.active = 1 }
      let before = stage.library.statusCalls.value

      let reader = try await SSEConnection(stage, "/v1/events?progress=1")
      #expect(try await reader.next().name == "snapshot")
      for round in 1...20 {
        await stage.library.change { $0.progress.bytes = Int64(round) }
        try await clock.ticking(by: 0.02) { () async throws in
          while true {
            let event = try await reader.next()
            #expect(event.name == "progress")
            #expect(event.id == nil)
            let message = try JSONText.decode(ProgressMessage.self, from: event.data)
            if message.bytes == round { break }
          }
        }
      }
      // One for the snapshot, the first, and one for each tenth of a second since.
      let calls = stage.library.statusCalls.value - before
      #expect(calls <= 3 + Int(clock.now() * 10))
      await stage.library.emit(.wasReset)
      try await clock.ticking(by: 0.02) { () async throws in
        #expect(try await plain.next().name == "message")
      }
    }
  }

  @Test("progress pauses when nothing runs, and equal values are not sent twice")
  func rest() async throws {
    let clock = ManualClock()
    try await withStage(clock: clock) { (stage) async throws in
      let reader = try await SSEConnection(stage, "/v1/events?progress=1")
      #expect(try await reader.next().name == "snapshot")
      #expect(try await reader.next().name == "progress")
      try await stage.library.statusCalls.until { $0 == 2 }
      for _ in 0..<5 {
        try await clock.ticking(by: 1) { () async throws in
          try await reader.heartbeat()
        }
      }
      #expect(stage.library.statusCalls.value == 2)
      // An event begins it again.
      await stage.library.change { $0.progress.finished = 1 }
      await stage.library.emit(.wasReset)
      try await clock.ticking(by: 0.02) { () async throws in
        #expect(try await reader.next().name == "message")
        #expect(try await reader.next().name == "progress")
      }
    }
  }

  @Test("a heartbeat is sent after 15 seconds without events")
  func heartbeat() async throws {
    let clock = ManualClock()
    try await withStage(clock: clock) { (stage) async throws in
      let reader = try await SSEConnection(stage)
      #expect(try await reader.next().name == "snapshot")
      for round in 1...5 {
        try await clock.ticking(by: 1) { () async throws in
          try await reader.heartbeat()
        }
        #expect(clock.now() >= Double(round) * 15)
      }
    }
  }

  @Test("a reader that does not read is disconnected, and its queue is bounded")
  func slowReader() async throws {
    var options = ControlServer.Options.still
    options.ringEvents = 100_000
    let clock = ManualClock()
    try await withStage(options: options, clock: clock) { (stage) async throws in
      let slow = try await RawConnection(stage)
      await slow.send(requestText("GET", "/v1/events"))
      #expect(await slow.some()?.isEmpty == false)
      let quick = try await SSEConnection(stage)
      #expect(try await quick.next().name == "snapshot")
      // More than the buffers of the kernel take.
      let reason = String(repeating: "x", count: 1_000)
      for round in 0..<20 {
        for _ in 1...100 { await stage.library.emit(.problem(reason)) }
        for seq in 1...100 { #expect(try await quick.next().id == stage.id(round * 100 + seq)) }
      }
      clock.advance(by: 30)
      await slow.hangUp()
      // Now it reads: what was on its way, and then the end.
      let rest = await slow.rest()
      #expect(!rest.isEmpty)
      #expect(rest.count < 2_000 * 1_000)
      // It knows where it stopped, and goes on there.
      var reader = EventStreamReader()
      let last = try #require(try reader.receive(rest).last?.id)
      let again = try await SSEConnection(stage, lastEvent: last)
      let next = try await again.next()
      #expect(next.id == EventID(last).map { stage.id(Int($0.seq) + 1) })
    }
  }

  @Test(
    "a reader that has fallen behind the ring is disconnected, and gets a snapshot when it returns")
  func overtaken() async throws {
    var options = ControlServer.Options.still
    options.ringEvents = 50
    try await withStage(options: options) { (stage) async throws in
      let slow = try await RawConnection(stage)
      await slow.send(requestText("GET", "/v1/events"))
      #expect(await slow.some()?.isEmpty == false)
      let quick = try await SSEConnection(stage)
      #expect(try await quick.next().name == "snapshot")
      let reason = String(repeating: "x", count: 4_000)
      for round in 0..<25 {
        for _ in 1...40 { await stage.library.emit(.problem(reason)) }
        for seq in 1...40 { #expect(try await quick.next().id == stage.id(round * 40 + seq)) }
      }
      let rest = await slow.rest()
      #expect(rest.count < 1_000 * 4_000)
      let again = try await SSEConnection(stage, lastEvent: stage.id(1))
      #expect(try await again.next().name == "snapshot")
    }
  }
}
