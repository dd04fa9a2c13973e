import LibraryAPI
import Models
import Testing
import TestSupport
@testable import Control

@Suite("Connections of the server")
struct ConnectionTests {
  @Test("carry one request after another, in order, also if they are sent at once")
  func keepAlive() async throws {
    try await withStage { (stage) async throws in
      let connection = try await RawConnection(stage)
      await connection.send(
        requestText("PUT", "/v1/settings/per-host", body: "{\"limit\":3}")
          + requestText("GET", "/v1/status") + requestText("HEAD", "/v1/status")
          + requestText("GET", "/nowhere")
          + requestText("GET", "/v1", fields: ["Connection: close"]))
      let text = await connection.restText()
      let statuses = text.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
      #expect(statuses == ["204", "200", "200", "404", "200"])
      #expect(text.contains("\"perHost\":3"))
      #expect(text.contains("Connection: close\r\n"))
    }
  }

  @Test("answer HEAD as GET, without the body")
  func head() async throws {
    try await withStage { (stage) async throws in
      let get = try #require(try await stage.ask("GET", "/v1/status"))
      let head = try #require(try await stage.ask("HEAD", "/v1/status"))
      #expect(head.body.isEmpty)
      #expect(head.fields["Content-Length"] == "\(get.body.count)")
      #expect(head.fields["Content-Type"] == "application/json")
      #expect(get.fields["Cache-Control"] == "no-store")
      #expect(get.fields["Date"]?.hasSuffix(" GMT") == true)
    }
  }

  @Test("are closed after HTTP/1.0 and after Connection: close")
  func closes() async throws {
    try await withStage { (stage) async throws in
      for text in [
        "GET /v1 HTTP/1.0\r\n\r\n", "GET /v1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      ] {
        let connection = try await RawConnection(stage)
        await connection.send(text + text)
        let answer = await connection.restText()
        #expect(answer.split(separator: "HTTP/1.1 200 OK").count == 1)
      }
    }
  }

  @Test("give the same response to a request that is sent at once or byte by byte")
  func singleBytes() async throws {
    try await withStage { (stage) async throws in
      let request = Array(
        requestText(
          "PUT", "/v1/settings/per-host", body: "{\"limit\":5}", fields: ["Connection: close"]
        ).utf8)
      for cut in 0...request.count {
        let connection = try await RawConnection(stage)
        await connection.send(Array(request[..<cut]))
        await connection.send(Array(request[cut...]))
        let text = await connection.restText()
        #expect(text.hasPrefix("HTTP/1.1 204 No Content\r\n"))
      }
      let connection = try await RawConnection(stage)
      for byte in request { await connection.send([byte]) }
      #expect(await connection.restText().hasPrefix("HTTP/1.1 204 No Content\r\n"))
    }
  }

  @Test("survive invalid data; the next connection is answered", arguments: 0..<8)
  func garbage(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let originals = [
      requestText("GET", "/v1/status?x=1"),
      requestText("POST", "/v1/sources", body: "{\"url\":\"http://a/b\",\"lazy\":true}"),
      requestText("PUT", "/v1/viewers/1/records/1", body: "{\"from\":0,\"to\":9}"),
      requestText("GET", "/v1/events?progress=1", fields: ["Last-Event-ID: 4"]),
    ]
    try await withStage { (stage) async throws in
      for _ in 0..<50 {
        let original = Array(originals[Int.random(in: 0..<4, using: &random)].utf8)
        let connection = try await RawConnection(stage)
        await connection.send(Damage.apply(to: original, &random))
        await connection.finishSending()
        if Bool.random(using: &random) { _ = await connection.some() }
        await connection.close()
      }
      #expect(try await stage.ask("GET", "/v1/status")?.status == 200)
    }
  }

  @Test("that are closed cancel the call of their client")
  func cancellation() async throws {
    try await withStage(MemoryLibrary(isOpen: false)) { (stage) async throws in
      let connection = try await RawConnection(stage)
      await connection.send(requestText("POST", "/v1/sources", body: "{\"file\":\"/a\"}"))
      try await stage.library.gate.untilWaiting()
      await connection.close()
      try await stage.library.cancelled.until { $0 == 1 }
      #expect(await stage.library.requests.isEmpty)
    }
  }

  @Test(
    "that are closed do not cancel an add that is to outlive its client; the server's end does")
  func outlivingClient() async throws {
    try await withStage(MemoryLibrary(isOpen: false)) { (stage) async throws in
      let body = "{\"file\":\"/a\",\"outlivesClient\":true}"
      let connection = try await RawConnection(stage)
      await connection.send(requestText("POST", "/v1/sources", body: body))
      try await stage.library.gate.untilWaiting()
      await connection.close()
      // An add that is not to outlive its client shows that closing has been noticed.
      let other = try await RawConnection(stage)
      await other.send(requestText("POST", "/v1/sources", body: "{\"file\":\"/b\"}"))
      try await stage.library.gate.untilWaiting(2)
      await other.close()
      try await stage.library.cancelled.until { $0 == 1 }
      stage.library.gate.open()
      try await stage.library.added.until { $0 == ["/a"] }
    }
  }

  @Test("whose client closes only its sending side are answered")
  func halfClose() async throws {
    try await withStage(MemoryLibrary(isOpen: false)) { (stage) async throws in
      let connection = try await RawConnection(stage)
      await connection.send(requestText("POST", "/v1/sources", body: "{\"file\":\"/a\"}"))
      await connection.finishSending()
      try await stage.library.gate.untilWaiting()
      stage.library.gate.open()
      #expect(await connection.answer()?.status == 200)
      #expect(await connection.rest().isEmpty)
    }
  }

  @Test("of a cancelled task are closed on both sides")
  func clientCancellation() async throws {
    try await withClient(MemoryLibrary(isOpen: false)) { (stage, client) async throws in
      let url = try Samples.url()
      let add = Task { try await client.add(SourceRequest(location: .file("/a"))) }
      let fetch = Task { try await client.resource(at: url, .reloaded) }
      try await stage.library.gate.untilWaiting(2)
      add.cancel()
      fetch.cancel()
      await #expect(throws: LibraryError(.interrupted, "")) { _ = try await add.value }
      await #expect(throws: LibraryError(.interrupted, "")) { _ = try await fetch.value }
      try await stage.library.cancelled.until { $0 == 2 }
      // Before it has begun, too.
      let late = Gate()
      let never = Task {
        // A cancelled waiter is let through the gate, so that the call begins in a cancelled task.
        try? await late.pass()
        #expect(Task.isCancelled)
        return try await client.status()
      }
      never.cancel()
      await #expect(throws: LibraryError(.interrupted, "")) { _ = try await never.value }
      #expect(try await client.status().perHost == 4)
    }
  }

  @Test("of a stopping server receive an error, and are all closed")
  func stop() async throws {
    let stage = try await Stage(MemoryLibrary(isOpen: false))
    let client = try await stage.connect()
    let add = Task { try await client.add(SourceRequest(location: .file("/a"))) }
    var events = await client.eventStream().makeAsyncIterator()
    await client.setVisibleRange(0..<1, of: RecordID(1), for: ViewerID(1))
    try await stage.library.gate.untilWaiting()
    await stage.server.stop()
    // The caller that stops the server may close the library next, so no call may follow.
    #expect(stage.library.cancelled.value == 1)
    #expect(stage.library.viewers.value.isEmpty)
    await #expect(throws: LibraryError(.interrupted, "")) { _ = try await add.value }
    #expect(await events.next() == nil)
    await stage.server.stop()
    await client.close()
    await stage.loop.shutDown()
  }
}
