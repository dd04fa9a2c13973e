import Glibc
import LibraryAPI
import Models
import ProgressTree
import SystemCalls
import Testing
import TestSupport
@testable import Control

@Suite("Events through the socket")
struct EventTests {
  @Test("are received unchanged, in order and with their numbers")
  func thereAndBack() async throws {
    try await withClient(MemoryLibrary(seq: 37)) { (stage, client) async throws in
      var events = await client.eventStream().makeAsyncIterator()
      for (index, kind) in Samples.eventKinds.enumerated() {
        await stage.library.emit(kind)
        #expect(await events.next() == LibraryEvent(seq: 38 + UInt64(index), kind: kind))
      }
      _ = try await client.setConcurrency(5)
      #expect(await events.next()?.kind == .concurrencyChanged(5))
    }
  }

  @Test("are sent to every follower, to many at once")
  func fanOut() async throws {
    let options = ControlServer.Options()
    try await withClient(options: options, clock: SystemClock()) { (stage, client) async throws in
      var followers: [AsyncStream<LibraryEvent>] = []
      for _ in 0..<50 { followers.append(await client.eventStream()) }
      let count = 1_000
      async let emitting: Void = stage.library.emit(count: count)
      await withTaskGroup { group in
        for follower in followers {
          group.addTask {
            var seqs: [UInt64] = []
            for await event in follower {
              seqs.append(event.seq)
              if seqs.count == count { break }
            }
            #expect(seqs == Array(1...UInt64(count)))
          }
        }
      }
      await emitting
    }
  }

  @Test("begin with a snapshot that has the number of the newest event")
  func snapshot() async throws {
    try await withStage { (stage) async throws in
      await stage.library.change { $0 = Samples.status() }
      let early = try await SSEConnection(stage)
      let first = try await early.next()
      #expect(first.name == "snapshot")
      #expect(first.id == stage.id(0))
      await stage.library.emit(.wasReset)
      #expect(try await early.next().id == stage.id(1))

      let late = try await SSEConnection(stage)
      let second = try await late.next()
      #expect(second.id == stage.id(1))
      let message = try JSONText.decode(SnapshotMessage.self, from: second.data)
      #expect(message.seq == 1)
      #expect(!message.followsGap)
      #expect(try message.status.status() == Samples.status())
    }
  }

  @Test("continue after the last one that a reader knows")
  func replay() async throws {
    try await withStage { (stage) async throws in
      let live = try await SSEConnection(stage)
      _ = try await live.next()
      await stage.library.emit(count: 100)
      for seq in 1...100 { #expect(try await live.next().id == stage.id(seq)) }
      for last in [0, 1, 57, 99] {
        let reader = try await SSEConnection(stage, lastEvent: stage.id(last))
        for seq in (last + 1)...100 { #expect(try await reader.next().id == stage.id(seq)) }
        await stage.library.emit(.wasReset)
        #expect(
          try JSONText.decode(EventMessage.self, from: try await reader.next().data).seq > 100)
      }
    }
  }

  @Test("begin with a gap and a snapshot if they cannot be continued")
  func gap() async throws {
    var options = ControlServer.Options.still
    options.ringEvents = 10
    try await withStage(options: options) { (stage) async throws in
      let live = try await SSEConnection(stage)
      _ = try await live.next()
      for seq in 1...30 {
        await stage.library.emit(.wasReset)
        #expect(try await live.next().id == stage.id(seq))
      }
      let known = ["0", "19", "31", "18446744073709551615"].map { "\(stage.server.engine)-\($0)" }
      let unknown = [
        "20", "x", "-1", "", "-", "0-20", "\(stage.server.engine)-020", "\(stage.server.engine)-",
        "\(stage.server.engine)-20-1", "\(stage.server.engine)-+20",
      ]
      for last in known + unknown {
        let reader = try await SSEConnection(stage, lastEvent: last)
        let event = try await reader.next()
        #expect(event.name == "snapshot")
        #expect(event.id == stage.id(30))
        #expect(try JSONText.decode(SnapshotMessage.self, from: event.data).followsGap)
      }
      let exact = try await SSEConnection(stage, lastEvent: stage.id(20))
      #expect(try await exact.next().id == stage.id(21))
    }
  }

  @Test("begin with a gap and a snapshot if the library has lost some")
  func hole() async throws {
    try await withStage { (stage) async throws in
      let live = try await SSEConnection(stage)
      _ = try await live.next()
      await stage.library.emit(.wasReset)
      #expect(try await live.next().id == stage.id(1))
      await stage.library.skipNumbers(5)
      await stage.library.emit(.wasReset)
      // It does not join on: the reader is sent away, and comes back to a snapshot.
      #expect(await live.rest().isEmpty)
      let again = try await SSEConnection(stage, lastEvent: stage.id(1))
      let event = try await again.next()
      #expect(event.name == "snapshot")
      #expect(event.id == stage.id(7))
    }
  }

  @Test("continue automatically for a client whose connection breaks")
  func reconnects() async throws {
    try await withClient { (stage, client) async throws in
      var updates = try await client.updates().makeAsyncIterator()
      guard case .snapshot(_, followsGap: false)? = await updates.next() else {
        Issue.record("no snapshot")
        return
      }
      for round in 0..<5 {
        let event = await stage.library.emit(.concurrencyChanged(round))
        #expect(await updates.next() == .event(event))
        await client.connector.loop.breakConnections()
        let missed = await stage.library.emit(.perHostChanged(round))
        #expect(await updates.next() == .event(missed))
      }
    }
  }

  @Test(
    "report a gap to a reader that returns after a restart, for any numbers"
  )
  func restart() async throws {
    let stage = try await Stage()
    let live = try await SSEConnection(stage)
    let quiet = try await live.next()
    #expect(
      quiet.id == stage.id(0), "also before the first event there is something to come back with")
    for seq in 1...5 {
      await stage.library.emit(.wasReset)
      #expect(try await live.next().id == stage.id(seq))
    }
    let known = [stage.id(0), stage.id(2), stage.id(5)]
    await stage.server.stop()
    // The next engine counts from 1 again, and has got as far as the reader was.
    let library = MemoryLibrary()
    let next = try await Stage(library, in: stage.folder)
    for _ in 1...5 { await library.emit(.wasReset) }
    for last in known {
      let reader = try await SSEConnection(next, lastEvent: last)
      let event = try await reader.next()
      #expect(event.name == "snapshot")
      let message = try JSONText.decode(SnapshotMessage.self, from: event.data)
      #expect(message.followsGap)
      #expect(message.engine == next.server.engine && message.engine != stage.server.engine)
      #expect(event.id == next.id(Int(message.seq)))
      await library.emit(.wasReset)
      #expect(try await reader.next().id == next.id(Int(message.seq) + 1))
    }
    await next.end()
    await stage.loop.shutDown()
  }

  @Test("end for a client if another engine has replaced the one that it knew")
  func otherEngine() async throws {
    let stage = try await Stage()
    let client = try await stage.connect()
    var events = await client.eventStream().makeAsyncIterator()
    await stage.server.stop()
    let other = try await ControlServer(
      try ControlListener(stage.address), serving: stage.library, libraryRoot: stage.root)
    #expect(await events.next() == nil)
    #expect(try await client.status().concurrency == 8)
    await client.close()
    await other.stop()
    await stage.loop.shutDown()
  }

  @Test("end with the library, after the last of them")
  func libraryEnds() async throws {
    try await withClient { (stage, client) async throws in
      var events = await client.eventStream().makeAsyncIterator()
      let stopped = await stage.library.emit(.stopped(LibraryError(.store, "damaged")))
      await stage.library.finish()
      #expect(await events.next() == stopped)
      #expect(await events.next() == nil)
      let late = await client.eventStream()
      for await _ in late { Issue.record("an event after the end") }
    }
  }

  @Test("are not read further for a follower that has closed its stream")
  func letGo() async throws {
    try await withClient { (stage, client) async throws in
      do {
        let stream = await client.eventStream()
        await stage.library.emit(.wasReset)
        for await _ in stream { break }
      }
      try await client.connector.loop.untilConnections(0)
    }
  }

  @Test("are not sent for HEAD")
  func head() async throws {
    try await withStage { (stage) async throws in
      let connection = try await RawConnection(stage)
      await connection.send(requestText("HEAD", "/v1/events"))
      let text = await connection.restText()
      #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(text.contains("Content-Type: text/event-stream\r\n"))
      #expect(text.hasSuffix("\r\n\r\n"))
    }
  }
}
