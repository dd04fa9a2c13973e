import Dispatch
import Models
import Synchronization
import TestSupport
import Testing
import Transport
import TransportContracts
import TransportSocket

/// Failures of single transfers after which the next attempt uses another connection.
extension HTTP2TransportTests {
  @Test("A connection is retired with a silent transfer, although its server sends PINGs")
  func silence() async throws {
    let (isRead, isPinged) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let server = try HTTP2Server { request in
      switch request.path {
      case "/pinged":
        .sendInTurn([
          { HTTP2Frame.head(request.stream) + HTTP2Frame.data(request.stream, "abc") },
          {
            isRead.wait()
            return HTTP2Frame.ping
          },
          {
            isPinged.signal()
            return []
          },
        ])
      case "/silent": .send([])
      default: .send(HTTP2Frame.response(request.stream, "ok"))
      }
    }
    let transport = transport()
    let limits = TransferLimits.testing.with { $0.idleTimeout = 1 }
    let record = try await run(server, transport) {
      // The connection exists before the time counts.
      #expect(try await transport.fetch("\(server.url)good").body == Array("ok".utf8))
      // On the loop's thread: the ping is in the socket when the loop goes on, however late that is.
      let sink = CollectingSink {
        isRead.signal()
        isPinged.wait()
      }
      let pinged = try await transport.failure("\(server.url)pinged", limits: limits, sink: sink)
      #expect(pinged.code == .idleTimeout)
      #expect(try await transport.fetch("\(server.url)good").body == Array("ok".utf8))
      #expect(server.record.connections == 2)
      let silent = try await transport.failure("\(server.url)silent", limits: limits)
      #expect(silent.code == .idleTimeout)
      #expect(try await transport.fetch("\(server.url)good").body == Array("ok".utf8))
    }
    #expect(record.connections == 3)
  }

  @Test("A connection on which another transfer receives data outlasts a silent one")
  func silenceBesideData() async throws {
    let held = Mutex<Int32>(0)
    let server = try HTTP2Server { request in
      switch request.path {
      case "/held":
        held.withLock { $0 = request.stream }
        return .send(HTTP2Frame.head(request.stream) + HTTP2Frame.data(request.stream, "abc"))
      case "/silent": return .send(HTTP2Frame.data(held.withLock { $0 }, "def"))
      default: return .send(HTTP2Frame.response(request.stream, "ok"))
      }
    }
    let transport = transport()
    let record = try await run(server, transport) {
      let isHeld = Gate()
      let other = Task {
        try await transport.perform(
          TransportRequest(url: try HTTPURL("\(server.url)held"), addresses: .any),
          into: CollectingSink { isHeld.open() })
      }
      try await isHeld.pass()
      let limits = TransferLimits.testing.with { $0.idleTimeout = 1 }
      #expect(
        try await transport.failure("\(server.url)silent", limits: limits).code == .idleTimeout)
      #expect(try await transport.fetch("\(server.url)good").body == Array("ok".utf8))
      other.cancel()
      _ = await other.result
    }
    #expect(record.connections == 1)
  }

  @Test("A violation of the protocol in one response leads the next attempt to another connection")
  func violation() async throws {
    let server = try HTTP2Server { request in
      request.connection == 0
        ? .send(HTTP2Frame.data(request.stream, "no head"))
        : .send(HTTP2Frame.response(request.stream, "ok"))
    }
    let transport = transport()
    let record = try await run(server, transport) {
      let bad = try await transport.failure("\(server.url)bad")
      #expect(bad.code == .protocolViolation)
      #expect(try await transport.fetch("\(server.url)good").body == Array("ok".utf8))
    }
    #expect(record.connections == 2)
  }
}
