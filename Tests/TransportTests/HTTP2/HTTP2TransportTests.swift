import Dispatch
import Models
import Synchronization
import Testing
import Transport
import TransportContracts
import TransportSocket

/// Transfers over HTTP/2, through the loops and real sockets.
@Suite("HTTP/2 transfers")
struct HTTP2TransportTests {
  func transport(
    _ authority: TestAuthority? = nil, _ change: (inout SocketOptions) -> Void = { _ in }
  ) -> SocketTransport {
    var options = SocketOptions()
    options.loopCount = 1
    options.connectionsPerOrigin = 64
    options.http2 = authority == nil ? .priorKnowledge : .auto
    options.authorities = authority?.path ?? ""
    change(&options)
    return SocketTransport(options)
  }

  func run(
    _ server: HTTP2Server, _ transport: SocketTransport, _ body: () async throws -> Void
  ) async throws -> HTTP2Server.Record {
    let result: Result<Void, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    await transport.shutdown()
    server.stop()
    if case .failure = result { Issue.record("the server saw: \(server.record)") }
    try result.get()
    return server.record
  }

  /// The bodies of `count` transfers that are asked for at the same time.
  private func fetchAll(
    _ count: Int, _ server: HTTP2Server, _ transport: SocketTransport
  ) async throws -> [Int: [UInt8]] {
    try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
      for number in 0..<count {
        group.addTask {
          (number, try await transport.fetch("\(server.url)\(number)").body)
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  @Test("Sixty transfers share one connection, and each gets its own body")
  func sharing() async throws {
    let server = try HTTP2Server { request in
      let number = UInt64(request.path.dropFirst()) ?? 0
      return .send(HTTP2Frame.response(request.stream, randomBytes(40_000, seed: number)))
    }
    let transport = transport()
    let record = try await run(server, transport) {
      let bodies = try await fetchAll(60, server, transport)
      for number in 0..<60 {
        #expect(bodies[number] == randomBytes(40_000, seed: UInt64(number)))
      }
    }
    #expect(record.connections == 1)
    #expect(record.requests.count == 60)
    #expect(record.resets.isEmpty)
    #expect(record.goAways == 1)
  }

  @Test("A request has its pseudo fields first and no fields of a connection")
  func request() async throws {
    let server = try HTTP2Server { .send(HTTP2Frame.response($0.stream, "ok")) }
    let transport = transport()
    let record = try await run(server, transport) {
      _ = try await transport.fetch(
        "\(server.url)a/b?c=d", fields: HTTPFields(["X-Mine": "1", "Connection": "close"]))
    }
    #expect(
      record.requests.first?.fields == [
        ":method": "GET", ":scheme": "http", ":authority": "localhost:\(server.port)",
        ":path": "/a/b?c=d", "user-agent": "imgdl", "accept": "*/*",
        "accept-encoding": "identity", "x-mine": "1",
      ])
  }

  @Test("Over TLS the server chooses the protocol, and earlier transfers wait for its choice")
  func negotiation() async throws {
    let authority = try TestAuthority()
    for (name, connections) in [("h2", 1...1), ("http/1.1", 2...12)] as [(String, ClosedRange)] {
      let server = try HTTP2Server(
        identity: try authority.issue(names: "DNS:localhost"),
        agreesOn: name == "h2" ? "h2" : "http/1.1"
      ) { .send(HTTP2Frame.response($0.stream, "by HTTP/2")) }
      let transport = transport(authority)
      let record = try await run(server, transport) {
        let bodies = try await fetchAll(12, server, transport)
        let expected = name == "h2" ? "by HTTP/2" : "by HTTP/1.1"
        #expect(bodies.values.allSatisfy { $0 == Array(expected.utf8) })
      }
      #expect(connections.contains(record.connections))
    }
  }

  @Test("No more streams are open than the server allows")
  func capacity() async throws {
    let server = try HTTP2Server(greeting: HTTP2Frame.settings([(3, 4)])) {
      .send(HTTP2Frame.response($0.stream, "ok"))
    }
    let transport = transport()
    let record = try await run(server, transport) {
      // The settings are known when the first response is.
      _ = try await transport.fetch(server.url)
      #expect(try await fetchAll(40, server, transport).count == 40)
    }
    #expect(record.mostAtOnce <= 4)
  }

  @Test("Only requests that a server has not processed are repeated")
  func refusal() async throws {
    let server = try HTTP2Server { request in
      switch request.number {
      case 1: .send(HTTP2Frame.reset(request.stream, 7))
      case 4:
        .sendAndClose(HTTP2Frame.goAway(last: request.stream - 2))
      default: .send(HTTP2Frame.response(request.stream, request.path))
      }
    }
    let transport = transport { $0.connectionsPerOrigin = 1 }
    let record = try await run(server, transport) {
      for number in 0..<8 {
        let fetched = try await transport.fetch("\(server.url)\(number)")
        #expect(fetched.body == Array("/\(number)".utf8))
      }
    }
    #expect(
      record.requests.map(\.path) == [
        "/0", "/1", "/1", "/2", "/3", "/3", "/4", "/5", "/6", "/7",
      ])
    #expect(record.connections == 2)
  }

  @Test("A misdirected request is repeated once, over a new connection")
  func misdirection() async throws {
    let server = try HTTP2Server { request in
      // The rest of this body is never sent.
      request.connection == 0 || request.path == "/never"
        ? .send(
          HTTP2Frame.head(request.stream, status: "421") + HTTP2Frame.data(request.stream, "no"))
        : .send(HTTP2Frame.response(request.stream, request.path))
    }
    let transport = transport()
    let record = try await run(server, transport) {
      let fetched = try await transport.fetch("\(server.url)a")
      #expect(fetched.response.head.status == 200)
      #expect(fetched.body == Array("/a".utf8))
      let timings = fetched.response.timings
      #expect(try #require(timings.request) <= #require(timings.firstByte))
      let refused = try await transport.perform(
        TransportRequest(url: try HTTPURL("\(server.url)never"), addresses: .any),
        into: CollectingSink(decision: .refuse))
      #expect(refused.head.status == 421)
    }
    #expect(record.requests.map(\.path) == ["/a", "/a", "/never", "/never"])
    #expect(record.requests.map(\.connection) == [0, 1, 1, 2])
  }

  @Test("A server that never processes a request is abandoned")
  func endlessRefusal() async throws {
    let server = try HTTP2Server { .send(HTTP2Frame.reset($0.stream, 7)) }
    let transport = transport()
    let record = try await run(server, transport) {
      let error = try await transport.failure(server.url)
      #expect(error.code == .connectionLost)
      #expect(error.isRetryable)
    }
    #expect(record.requests.count == 4)
  }

  @Test("A server that requires HTTP/1.1 gets it, from then on")
  func demotion() async throws {
    let server = try HTTP2Server { .send(HTTP2Frame.reset($0.stream, 13)) }
    let transport = transport()
    let record = try await run(server, transport) {
      for _ in 0..<3 {
        let fetched = try await transport.fetch(server.url)
        #expect(fetched.body == Array("by HTTP/1.1".utf8))
      }
    }
    #expect(record.requests.count == 1)
    #expect(record.http1Requests == 3)
    #expect(record.connections == 2)
  }

  @Test("A server that resets every stream gets HTTP/1.1, unless it has answered or is busy")
  func inability() async throws {
    for (code, answersFirst, http1Requests) in [(2, false, 2), (2, true, 0), (11, false, 0)]
      as [(UInt32, Bool, Int)]
    {
      let server = try HTTP2Server { request in
        answersFirst && request.number == 0
          ? .send(HTTP2Frame.response(request.stream, "by HTTP/2"))
          : .send(HTTP2Frame.reset(request.stream, code))
      }
      let transport = transport()
      let record = try await run(server, transport) {
        if answersFirst { _ = try await transport.fetch(server.url) }
        for _ in 0..<3 {
          let error = try await transport.failure(server.url)
          #expect(error.code == .connectionLost && error.isRetryable)
        }
        for _ in 0..<2 {
          if http1Requests > 0 {
            #expect(try await transport.fetch(server.url).body == Array("by HTTP/1.1".utf8))
          } else {
            _ = try await transport.failure(server.url)
          }
        }
      }
      #expect(record.http1Requests == http1Requests)
      #expect(record.connections == (http1Requests > 0 ? 2 : 1))
    }
  }

  @Test("A cancelled transfer resets its stream and keeps the connection")
  func unwanted() async throws {
    let large = [UInt8](repeating: 1, count: 200_000)
    let server = try HTTP2Server { request in
      request.path == "/small"
        ? .send(HTTP2Frame.response(request.stream, "ok"))
        : .send(HTTP2Frame.head(request.stream) + HTTP2Frame.data(request.stream, large.prefix16))
    }
    let transport = transport()
    let record = try await run(server, transport) {
      let refused = try await transport.perform(
        TransportRequest(url: try HTTPURL(server.url), addresses: .any),
        into: CollectingSink(decision: .refuse))
      #expect(refused.body == .refused)
      let full = try await transport.failure(server.url, sink: CollectingSink(capacity: 100))
      #expect(full.code == .sink && full.bytesDelivered == 0)
      let limits = TransferLimits.testing.with { $0.maxBodyBytes = 1_000 }
      #expect(try await transport.failure(server.url, limits: limits).code == .limitExceeded)
      let begun = AsyncStream.makeStream(of: Void.self)
      let sink = CollectingSink { begun.continuation.yield() }
      let url = try HTTPURL(server.url)
      let task = Task {
        try await transport.perform(TransportRequest(url: url, addresses: .any), into: sink)
      }
      for await _ in begun.stream { break }
      task.cancel()
      await #expect(throws: TransportError.self) { try await task.value }
      #expect(try await transport.fetch("\(server.url)small").body == Array("ok".utf8))
    }
    #expect(record.connections == 1)
    #expect(record.resets.map(\.code) == [8, 8, 8, 8])
    #expect(record.resets.map(\.stream) == [1, 3, 5, 7])
  }

  @Test("If a connection breaks, begun transfers fail and the others are repeated")
  func breakingOff() async throws {
    let server = try HTTP2Server { request in
      switch request.path {
      case "/begun": .sendAndClose(HTTP2Frame.head(request.stream) + HTTP2Frame.data(1, "abc"))
      case "/silent" where request.connection < 2: .sendAndClose([])
      default: .send(HTTP2Frame.response(request.stream, "ok"))
      }
    }
    let transport = transport()
    let record = try await run(server, transport) {
      let begun = try await transport.failure("\(server.url)begun")
      #expect(begun.code == .truncated && begun.bytesDelivered == 3)
      // A new connection that says nothing at all is a failure,
      #expect(try await transport.failure("\(server.url)silent").code == .connectionLost)
      _ = try await transport.fetch("\(server.url)good")
      // one that was reused is not.
      #expect(try await transport.fetch("\(server.url)silent").body == Array("ok".utf8))
    }
    #expect(record.connections == 3)
  }

  @Test("Redirects are followed, on the same connection and to other servers")
  func redirects() async throws {
    let other = try HTTP2Server { request in
      let fields = ["range", "x-api-key"].map { request.fields[$0] ?? "-" }
      return .send(HTTP2Frame.response(request.stream, fields.joined(separator: " ")))
    }
    let elsewhere = other.url
    let server = try HTTP2Server { request in
      let target = request.path == "/a" ? "/b" : "\(elsewhere)c"
      let head = HTTP2Frame.head(request.stream, status: "302", [("location", target)])
      return .send(head + HTTP2Frame.data(request.stream, "moved", ends: true))
    }
    let transport = transport()
    let record = try await run(server, transport) {
      let fetched = try await transport.fetch(
        "\(server.url)a", fields: HTTPFields(["Range": "bytes=1-", "X-Api-Key": "secret"]))
      #expect(fetched.response.redirectCount == 2)
      // The range is no credential, and goes along to the other server.
      #expect(fetched.body == Array("bytes=1- -".utf8))
    }
    other.stop()
    #expect(record.requests.map { $0.fields["range"] } == ["bytes=1-", "bytes=1-"])
    #expect(record.requests.map { $0.fields["x-api-key"] } == ["secret", "secret"])
    #expect(record.connections == 1)
  }

  @Test(
    "Invalid frames are reported as the server's fault, and the next transfer gets a new connection"
  )
  func violations() async throws {
    let bad: [@Sendable (Int32) -> [UInt8]] = [
      { HTTP2Frame.head($0, status: nil, ends: true) },
      { HTTP2Frame.head($0, [("content-length", "5")]) + HTTP2Frame.data($0, "ab", ends: true) },
      { HTTP2Frame.head($0, [("connection", "close")], ends: true) },
      { _ in HTTP2Frame.frame(.settings, [1, 2, 3]) },
      { HTTP2Frame.data($0, [UInt8](repeating: 0, count: 20_000)) },
      { HTTP2Frame.head($0, (0..<300).map { ("x\($0)", "") }, ends: true) },
    ]
    let codes: [TransportError.Code] = [
      .protocolViolation, .truncated, .protocolViolation, .protocolViolation, .protocolViolation,
      .limitExceeded,
    ]
    let server = try HTTP2Server { request in
      Int(request.path.dropFirst()).map { .send(bad[$0](request.stream)) }
        ?? .send(HTTP2Frame.response(request.stream, "ok"))
    }
    let transport = transport()
    _ = try await run(server, transport) {
      for (index, code) in codes.enumerated() {
        let error = try await transport.failure("\(server.url)\(index)")
        #expect(error.code == code, "\(index): \(error)")
        #expect(try await transport.fetch("\(server.url)good").body == Array("ok".utf8))
      }
    }
  }
}

extension [UInt8] {
  fileprivate var prefix16: [UInt8] { Array(prefix(16_384)) }
}
