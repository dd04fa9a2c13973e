import Glibc
import HTTP1
import Models
import Origin
import SystemCalls
import Testing
import Transport
import TransportContracts
import TransportSocket
import Wiring

/// What the socket transport promises beyond the contract.
@Suite("Socket transport")
struct SocketTransportTests {
  private func transport(_ change: (inout SocketOptions) -> Void) -> SocketTransport {
    var options = SocketOptions()
    change(&options)
    return SocketTransport(options)
  }

  /// Answers one request, and opens the gate when the client has ended the connection.
  private func servingOnce(_ closed: Gate) throws -> ScriptedServer {
    try ScriptedServer(scripts: [[.readRequest] + .ok("x") + [.hold(nil), .open(closed)]])
  }

  @Test("It is registered under its name and created from the settings")
  func plugin() async throws {
    var settings = Settings()
    settings.network.userAgent = "from settings"
    var catalogue = Catalogue()
    catalogue.provide(settings, for: .settings)
    SocketTransportPlugin.register(in: &catalogue)
    var container = try Container(catalogue, choosing: ["transport": "socket"])
    let transport = try container.resolve(.transport)
    let server = try ScriptedServer { _, _, _ in .ok("x") }
    _ = try await transport.fetch(server.url)
    #expect(server.requests.first?.head?.fields["User-Agent"] == "from settings")
    await transport.shutdown()
  }

  @Test(
    "No origin has more connections than allowed, and each transfer gets its turn",
    arguments: [1, 3])
  func connectionLimit(limit: Int) async throws {
    let server = try ScriptedServer { _, _, _ in .ok("x") }
    let transport = transport { $0.connectionsPerOrigin = limit }
    let url = server.url
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<60 { group.addTask { try await transport.fetch(url).body.count } }
      for try await count in group { #expect(count == 1) }
    }
    #expect(server.connectionCount <= limit)
    #expect(server.requests.count == 60)
    await transport.shutdown()
  }

  @Test("A transfer that waits for a connection can be cancelled")
  func cancelWhileWaiting() async throws {
    let asked = try Gate()
    let release = try Gate()
    let server = try ScriptedServer { _, _, _ in [.open(asked), .hold(release)] + .ok("x") }
    let transport = transport { $0.connectionsPerOrigin = 1 }
    let url = server.url
    let first = Task { try await transport.fetch(url).body }
    await asked.wait()
    let waiting = Task { try await transport.failure(url) }
    waiting.cancel()
    let code = try await waiting.value.code
    #expect(code == .cancelled)
    release.open()
    _ = try await first.value
    _ = try await transport.fetch(url)
    #expect(server.requests.count == 2)
    await transport.shutdown()
  }

  @Test("An idle connection is closed after its time")
  func idleTime() async throws {
    let closed = try Gate()
    let server = try servingOnce(closed)
    let transport = transport { $0.idleSeconds = 0.05 }
    _ = try await transport.fetch(server.url)
    await closed.wait()
    await transport.shutdown()
  }

  @Test("Of too many idle connections the oldest is closed")
  func idleLimit() async throws {
    let gates = try (0..<4).map { _ in try Gate() }
    let servers = try gates.map { try servingOnce($0) }
    let transport = transport {
      $0.idleConnections = 2
      $0.loopCount = 1
    }
    for server in servers { _ = try await transport.fetch(server.url) }
    for gate in gates[..<2] { await gate.wait() }
    #expect(!gates[2].isOpen && !gates[3].isOpen)
    await transport.shutdown()
  }

  @Test("Only addresses of the chosen family are used")
  func addressFamily() async throws {
    let server = try ScriptedServer { _, _, _ in .ok("x") }
    let v6 = transport { $0.addressFamily = .v6 }
    let error = try await v6.failure(server.url)
    #expect(error.code == .dns)
    #expect(error.detail.contains("IPv6"))
    await v6.shutdown()
    let v4 = transport { $0.addressFamily = .v4 }
    let refused = try await v4.failure("http://[::1]:\(server.port)/")
    #expect(refused.code == .dns)
    let fetched = try await v4.fetch("http://localhost:\(server.port)/")
    #expect(fetched.response.head.remoteAddress == "127.0.0.1")
    await v4.shutdown()
  }

  @Test("A name with several addresses works if one of them does")
  func severalAddresses() async throws {
    // localhost is ::1 too in most places, where this server does not listen.
    let server = try ScriptedServer { _, _, _ in .ok("x") }
    let transport = transport { _ in }
    let response = try await transport.fetch("http://localhost:\(server.port)/").response
    #expect(response.head.remoteAddress == "127.0.0.1")
    let timings = response.timings
    #expect(try #require(timings.dns) <= #require(timings.connect))
    await transport.shutdown()
  }

  @Test("A sink that blocks delays its sender and no other loop")
  func backPressure() async throws {
    let blocked = try Gate()
    let lock = try BlockingLock()
    let body = randomBytes(4 << 20, seed: 8)
    let server = try ScriptedServer { _, _, _ in .ok(body) }
    let transport = transport { $0.loopCount = 2 }
    let sink = CollectingSink(onReceive: {
      blocked.open()
      lock.wait()
    })
    let url = try HTTPURL(server.url)
    let task = Task {
      try await transport.perform(
        TransportRequest(url: url, limits: .testing, addresses: .any), into: sink)
    }
    await blocked.wait()
    // The next transfer to the origin goes to the loop that has less to do for it.
    let other = try await transport.fetch(server.url)
    #expect(other.body == body)
    #expect(sink.pieces == 1)
    lock.open()
    _ = try await task.value
    #expect(sink.body == body)
    await transport.shutdown()
  }

  @Test("Limits of the header section are settings")
  func headerLimits() async throws {
    let value = String(repeating: "v", count: 100_000)
    let server = try ScriptedServer { _, _, _ in .ok("x", fields: "X-Long: \(value)\r\n") }
    let wide = transport { $0.headerBytes = 200_000 }
    let fetched = try await wide.fetch(server.url)
    #expect(fetched.response.head.fields["X-Long"] == value)
    await wide.shutdown()
    let narrow = transport { $0.headerFields = 1 }
    let error = try await narrow.failure(server.url)
    #expect(error.code == .limitExceeded)
    await narrow.shutdown()
  }

  @Test(
    "Every limit of the framing of a message is a setting, and its error names it",
    arguments: [
      (
        "network.headerBytes", "HTTP/1.1 200 OK\r\nX: \(String(repeating: "y", count: 100))\r\n\r\n"
      ),
      ("network.headerFields", "HTTP/1.1 200 OK\r\nA: b\r\nA: b\r\nA: b\r\nA: b\r\n\r\n"),
      (
        "network.trailerBytes",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: yyyyyyyyyyyyyyyy\r\n\r\n"
      ),
      (
        "network.chunkSizeDigits",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n00002\r\nhi\r\n0\r\n\r\n"
      ),
      ("network.maxRedirects", "HTTP/1.1 302 Found\r\nLocation: x/\r\nContent-Length: 0\r\n\r\n"),
    ])
  func namedLimits(setting: String, answer: String) async throws {
    var settings = Settings()
    for (name, value) in [
      ("network.headerBytes", 100), ("network.headerFields", 3), ("network.trailerBytes", 20),
      ("network.chunkSizeDigits", 4), ("network.maxRedirects", 2),
    ] {
      try SettingsSchema.set(name, to: .integer(value), in: &settings)
    }
    let server = try ScriptedServer(answer: answer)
    let transport = SocketTransport(SocketOptions(settings.network))
    let limits = TransferLimits.testing.with { $0.maxRedirects = settings.network.maxRedirects }
    let error = try await transport.failure(server.url, limits: limits)
    #expect(error.code == (setting == "network.maxRedirects" ? .tooManyRedirects : .limitExceeded))
    #expect(error.detail.contains("(\(setting))"), "\(error.detail)")
    #expect(!error.isRetryable)
    await transport.shutdown()
  }

  @Test("A trailer section may be longer than one read, if the setting permits it")
  func longTrailers() async throws {
    let trailer = "X: " + String(repeating: "y", count: 400_000) + "\r\n"
    let server = try ScriptedServer(
      answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\(trailer)\r\n")
    let patient = transport { $0.trailerBytes = 500_000 }
    let fetched = try await patient.fetch(server.url)
    #expect(fetched.body == Array("hi".utf8))
    await patient.shutdown()
  }

  @Test("A transport that is released ends its threads and connections")
  func release() async throws {
    let closed = try Gate()
    let server = try servingOnce(closed)
    _ = try await SocketTransport().fetch(server.url)
    await closed.wait()
  }
}

/// Blocks a thread that is not the test's, until it is opened.
private final class BlockingLock: Sendable {
  private let reading: OwnedDescriptor
  private let writing: OwnedDescriptor

  init() throws { (reading, writing) = try Channels.pipe() }

  /// Returns when the lock is open, as often as it is asked.
  func wait() {
    var ready = pollfd(fd: reading.raw, events: Int16(POLLIN), revents: 0)
    while poll(&ready, 1, -1) < 1 {}
  }

  func open() { writing.close() }
}
