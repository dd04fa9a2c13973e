import LibraryAPI
import Models
import Testing
import TestSupport
@testable import Control

@Suite("Limits of the server")
struct LimitTests {
  @Test(
    "a request that stops in its head or body is refused in time",
    arguments: [
      ("GET /v1/status HTTP/1.1\r\nHost: ", 10.0),
      ("\r\n", 10.0),
      ("PUT /v1/settings/per-host HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n{\"lim", 30.0),
    ])
  func slow(_ text: String, _ seconds: Double) async throws {
    let clock = ManualClock()
    try await withStage(clock: clock) { (stage) async throws in
      let connection = try await RawConnection(stage)
      await connection.send(text)
      let answer = try await clock.ticking(by: 1) { await connection.answer() }
      #expect(answer?.status == 408)
      #expect(answer?.code == "tooSlow")
      #expect(clock.now() >= seconds)
      #expect(await connection.rest().isEmpty)
    }
  }

  @Test("bytes that drip do not buy time")
  func dripping() async throws {
    let clock = ManualClock()
    try await withStage(clock: clock) { (stage) async throws in
      let connection = try await RawConnection(stage)
      await connection.send("G")
      // The hands are not turned before the server has set its deadline.
      try await clock.untilSomeoneSleeps()
      for byte in "ET /v1/status HTTP/1.1\r\nX: y".utf8 {
        await connection.send([byte])
        clock.advance(by: 0.4)
      }
      #expect(await connection.answer()?.status == 408)
    }
  }

  @Test(
    "a connection without a request is closed without a word: soon at first, later after a minute")
  func idle() async throws {
    let clock = ManualClock()
    try await withStage(clock: clock) { (stage) async throws in
      let silent = try await RawConnection(stage)
      #expect(try await clock.ticking(by: 1) { await silent.rest() }.isEmpty)
      #expect(clock.now() >= 10)
      let kept = try await RawConnection(stage)
      for _ in 0..<3 {
        await kept.send(requestText("GET", "/v1/status"))
        #expect(await kept.answer()?.status == 200)
      }
      let start = clock.now()
      #expect(try await clock.ticking(by: 1) { await kept.rest() }.isEmpty)
      #expect(clock.now() >= start + 60)
    }
  }

  @Test("a client that does not read its answer is dropped")
  func unread() async throws {
    let clock = ManualClock()
    try await withStage(clock: clock) { (stage) async throws in
      await stage.library.change {
        $0.hosts = (0..<20_000).map {
          HostStatus(host: "https://\($0).example.org", active: 0, limit: 1, reason: "HTTP 429")
        }
      }
      let connection = try await RawConnection(stage)
      await connection.send(requestText("GET", "/v1/status"))
      // Long as it is, it comes whole to a client that reads.
      let client = try await stage.connect()
      #expect(try await client.status().hosts.count == 20_000)
      await client.close()
      try await clock.ticking(by: 1) { () async throws in await connection.hangUp() }
      #expect(clock.now() >= 30)
      #expect(await connection.answer() == nil)
    }
  }

  @Test("a body is taken up to 2 MiB, and refused before it is sent")
  func body() async throws {
    try await withStage { (stage) async throws in
      let limit = ControlServer.Options().bodyBytes
      #expect(limit == 2_097_152)
      let padding = String(repeating: " ", count: limit - 11)
      let whole = try await stage.ask(
        "PUT", "/v1/settings/per-host", body: "{\"limit\":7}" + padding)
      #expect(whole?.status == 204)
      #expect(await stage.library.state.perHost == 7)
      let connection = try await RawConnection(stage)
      await connection.send(
        "PUT /v1/settings/per-host HTTP/1.1\r\nHost: a\r\nContent-Length: \(limit + 1)\r\n\r\n")
      #expect(await connection.answer()?.code == "bodyTooLarge")
      #expect(await connection.rest().isEmpty)
    }
  }

  @Test("a client that waits before it sends a body is told to go on")
  func expectation() async throws {
    try await withStage { (stage) async throws in
      let connection = try await RawConnection(stage)
      await connection.send(
        "PUT /v1/settings/per-host HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n"
          + "Content-Type: application/json\r\nExpect: 100-continue\r\n\r\n")
      #expect(await connection.some() == Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
      await connection.send("{\"limit\":9}")
      #expect(await connection.answer()?.status == 204)
      #expect(await stage.library.state.perHost == 9)
    }
  }

  @Test("256 connections are served; one more takes the place of the one that is idle longest")
  func connections() async throws {
    var options = ControlServer.Options.still
    options.connectionsPerPeer = 256
    try await withStage(options: options) { (stage) async throws in
      var connections: [RawConnection] = []
      for _ in 0..<256 {
        let connection = try await RawConnection(stage)
        await connection.send(requestText("GET", "/v1"))
        #expect(await connection.answer()?.status == 200)
        connections.append(connection)
      }
      let late = try await RawConnection(stage)
      await late.send(requestText("GET", "/v1"))
      #expect(await late.answer()?.status == 200)
      #expect(await connections[0].rest().isEmpty)
      for connection in connections.dropFirst() {
        await connection.send(requestText("GET", "/v1"))
        #expect(await connection.answer()?.status == 200)
      }
    }
  }

  @Test("256 connections that are all at work leave no room, and a word of it")
  func allAtWork() async throws {
    var options = ControlServer.Options.still
    options.connectionsPerPeer = 256
    try await withStage(MemoryLibrary(isOpen: false), options: options) { (stage) async throws in
      var connections: [RawConnection] = []
      for _ in 0..<256 {
        let connection = try await RawConnection(stage)
        await connection.send(requestText("POST", "/v1/sources", body: "{\"file\":\"/a\"}"))
        connections.append(connection)
      }
      try await stage.library.gate.untilWaiting(256)
      for _ in 0..<3 {
        let answer = try await stage.ask("GET", "/v1")
        #expect(answer?.status == 503)
        #expect(answer?.code == "tooManyConnections")
      }
      stage.library.gate.open()
      for connection in connections { #expect(await connection.answer()?.status == 200) }
      #expect(try await stage.ask("GET", "/v1")?.status == 200)
    }
  }

  @Test("300 connections with half a header do not keep others from being answered at once")
  func halfHeaders() async throws {
    // The clock of the server stands still: nothing here may wait for a time to pass.
    try await withStage { (stage) async throws in
      var halves: [RawConnection] = []
      for _ in 0..<300 {
        let half = try await RawConnection(stage)
        await half.send("GET /v1 HTTP/1.1\r\nHost: ")
        halves.append(half)
      }
      #expect(try await stage.ask("GET", "/v1")?.status == 200)
      // Another process is another peer.
      #expect(try await PeerTests.curl(stage) == "200")
      // The oldest ones made room for the others, and were told so.
      let answer = await halves[0].answer()
      #expect(answer?.status == 503)
      #expect(answer?.code == "tooManyConnections")
      let last = try #require(halves.last)
      await last.send("a\r\n\r\n")
      #expect(await last.answer()?.status == 200)
    }
  }

  @Test("a process whose connections are all at work does not keep another from being answered")
  func greedyPeer() async throws {
    try await withStage(MemoryLibrary(isOpen: false)) { (stage) async throws in
      var connections: [RawConnection] = []
      for _ in 0..<128 {
        let connection = try await RawConnection(stage)
        await connection.send(requestText("POST", "/v1/sources", body: "{\"file\":\"/a\"}"))
        connections.append(connection)
      }
      try await stage.library.gate.untilWaiting(128)
      #expect(try await stage.ask("GET", "/v1")?.code == "tooManyConnections")
      #expect(try await PeerTests.curl(stage) == "200")
      stage.library.gate.open()
      for connection in connections { #expect(await connection.answer()?.status == 200) }
    }
  }

  @Test("a thousand connections that say nothing do not keep others from being answered")
  func idleCrowd() async throws {
    try await withStage { (stage) async throws in
      for round in 0..<1_000 {
        let idle = try await RawConnection(stage)
        if round % 100 == 99 { #expect(try await stage.ask("GET", "/v1")?.status == 200) }
        _ = idle
      }
      #expect(try await stage.ask("GET", "/v1/status")?.status == 200)
    }
  }
}
