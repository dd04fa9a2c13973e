import COpenSSL
import Models
import Synchronization
import Testing
import Transport
import TransportContracts
import TransportSocket

/// TLS of the socket transport against servers with certificates of our own.
@Suite("TLS")
struct TLSTests {
  private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret"

  private func transport(
    trusting authority: TestAuthority?, isInsecure: Bool = false
  ) -> SocketTransport {
    var options = SocketOptions()
    options.authorities = authority?.path ?? ""
    options.isInsecure = isInsecure
    return SocketTransport(options)
  }

  /// Runs `body` against a server with `identity`, and gives what the server saw.
  private func serve(
    _ identity: TestIdentity, trusting authority: TestAuthority?, isInsecure: Bool = false,
    script: @escaping TLSServer.Script = { _ in (answer, .keep) },
    _ body: (SocketTransport, TLSServer) async throws -> Void
  ) async throws -> TLSServer.Record {
    let server = try TLSServer(identity, script: script)
    let transport = transport(trusting: authority, isInsecure: isInsecure)
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(transport, server))
    } catch { result = .failure(error) }
    await transport.shutdown()
    server.stop()
    try result.get()
    return server.record
  }

  @Test("A certificate of a known authority for the name is accepted, and the name is asked for")
  func accepted() async throws {
    let authority = try TestAuthority()
    let identity = try authority.issue(names: "DNS:localhost,IP:127.0.0.1")
    for (host, expected) in [("localhost", "localhost"), ("127.0.0.1", nil)] {
      let record = try await serve(identity, trusting: authority) { transport, server in
        let fetched = try await transport.fetch("https://\(host):\(server.port)/")
        #expect(fetched.body == Array("secret".utf8))
        let tls = try #require(fetched.response.timings.tls)
        #expect(tls >= fetched.response.timings.connect ?? 0)
      }
      #expect(record.serverNames == [expected])
    }
  }

  @Test(
    "A certificate that does not prove the name is refused before anything is asked",
    arguments: [
      ("DNS:other.example", "host"), ("DNS:*.localhost", "host"), ("IP:127.0.0.2", "host"),
      (nil, "host"), ("DNS:local*", "host"),
    ] as [(String?, String)])
  func wrongName(names: String?, reason: String) async throws {
    let authority = try TestAuthority()
    // The common name would fit; only alternative names count.
    let identity = try authority.issue(names: names, commonName: "localhost")
    let record = try await serve(identity, trusting: authority) { transport, server in
      let error = try await transport.failure(server.url)
      #expect(error.code == .tls)
      #expect(!error.isRetryable)
      #expect(error.detail.lowercased().contains(reason), "\(error.detail)")
    }
    #expect(record.receivedBytes == 0)
    #expect(record.connections == 1)
  }

  @Test("A certificate for a name only is not valid for an address")
  func numericHost() async throws {
    let authority = try TestAuthority()
    let identity = try authority.issue(names: "DNS:127.0.0.1,DNS:localhost")
    let record = try await serve(identity, trusting: authority) { transport, server in
      let error = try await transport.failure("https://127.0.0.1:\(server.port)/")
      #expect(error.code == .tls)
      #expect(error.detail.contains("IP address mismatch"), "\(error.detail)")
    }
    #expect(record.receivedBytes == 0)
  }

  @Test("Expired, not yet valid, self-signed and unknown certificates are refused, with the reason")
  func untrusted() async throws {
    let authority = try TestAuthority()
    let stranger = try TestAuthority("another authority")
    let names = "DNS:localhost"
    let cases: [(TestIdentity, String)] = [
      (try authority.issue(names: names, validFrom: -7_200, validFor: 3_600), "has expired"),
      (try authority.issue(names: names, validFrom: 3_600), "not yet valid"),
      (try authority.issue(names: names, isSelfSigned: true), "self-signed"),
      (try stranger.issue(names: names), "unable to get local issuer"),
    ]
    for (identity, reason) in cases {
      let record = try await serve(identity, trusting: authority) { transport, server in
        let error = try await transport.failure(server.url)
        #expect(error.code == .tls)
        #expect(error.detail.contains(reason), "\(error.detail)")
      }
      #expect(record.receivedBytes == 0)
    }
    let record = try await serve(
      try authority.issue(names: names), trusting: nil
    ) { transport, server in
      let value = try await transport.failure(server.url).code
      #expect(value == .tls)
    }
    #expect(record.receivedBytes == 0)
  }

  @Test("Only the explicit setting accepts a certificate that proves nothing")
  func insecure() async throws {
    let authority = try TestAuthority()
    let identity = try authority.issue(names: nil, isSelfSigned: true)
    _ = try await serve(identity, trusting: nil, isInsecure: true) { transport, server in
      let value = try await transport.fetch(server.url).body
      #expect(value == Array("secret".utf8))
    }
  }

  @Test("TLS before 1.2 and a server without HTTP/1.1 are refused")
  func oldVersions() async throws {
    let authority = try TestAuthority()
    let identity = try authority.issue(names: "DNS:localhost")
    for server in [
      try TLSServer(identity, newestVersion: TLS1_1_VERSION) { _ in (Self.answer, .keep) },
      try TLSServer(identity, protocols: ["h2"]) { _ in (Self.answer, .keep) },
    ] {
      let transport = transport(trusting: authority)
      let value = try await transport.failure(server.url).code
      #expect(value == .tls)
      await transport.shutdown()
      server.stop()
      #expect(server.record.receivedBytes == 0)
    }
    let older = try TLSServer(identity, newestVersion: TLS1_2_VERSION) { _ in (Self.answer, .keep) }
    let transport = transport(trusting: authority)
    let value = try await transport.fetch(older.url).body
    #expect(value == Array("secret".utf8))
    await transport.shutdown()
    older.stop()
  }

  @Test("A handshake that stalls runs into the connect time")
  func stall() async throws {
    let authority = try TestAuthority()
    let identity = try authority.issue(names: "DNS:localhost")
    let server = try TLSServer(identity, isMute: true) { _ in (Self.answer, .keep) }
    let transport = transport(trusting: authority)
    let limits = TransferLimits.testing.with { $0.connectTimeout = 0.2 }
    let error = try await transport.failure(server.url, limits: limits)
    #expect(error.code == .connectTimeout)
    await transport.shutdown()
    server.stop()
  }

  @Test("A body until the end of the connection is complete only with close_notify")
  func truncation() async throws {
    let authority = try TestAuthority()
    let identity = try authority.issue(names: "DNS:localhost")
    let head = "HTTP/1.1 200 OK\r\n\r\nhello"
    _ = try await serve(identity, trusting: authority, script: { _ in (head, .close) }) {
      transport, server in
      let fetched = try await transport.fetch(server.url)
      #expect(fetched.response.body == .complete(byteCount: 5, isLengthKnown: false))
    }
    _ = try await serve(identity, trusting: authority, script: { _ in (head, .cut) }) {
      transport, server in
      let error = try await transport.failure(server.url)
      #expect(error.code == .truncated)
      #expect(error.isRetryable)
    }
  }

  @Test("A connection over TLS is reused, and ended with close_notify")
  func reuse() async throws {
    let authority = try TestAuthority()
    let identity = try authority.issue(names: "DNS:localhost")
    let record = try await serve(identity, trusting: authority) { transport, server in
      for _ in 0..<5 {
        let value = try await transport.fetch(server.url).body.count
        #expect(value == 6)
      }
    }
    #expect(record.connections == 1)
    #expect(record.cleanEnds == 1)
  }

  @Test(
    "The next connection to an origin has a shorter handshake",
    arguments: [
      TLS1_2_VERSION, TLS1_3_VERSION,
    ])
  func resumption(version: Int32) async throws {
    let authority = try TestAuthority()
    let identity = try authority.issue(names: "DNS:localhost")
    let server = try TLSServer(identity, newestVersion: version) { _ in
      ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", .close)
    }
    let transport = transport(trusting: authority)
    for _ in 0..<3 {
      let value = try await transport.fetch(server.url).body.count
      #expect(value == 2)
    }
    await transport.shutdown()
    server.stop()
    #expect(server.record.connections == 3)
    #expect(server.record.resumed == 2)
  }

  @Test("A reused TLS connection that the server has closed is replaced by a new one")
  func staleConnection() async throws {
    let authority = try TestAuthority()
    let identity = try authority.issue(names: "DNS:localhost")
    let record = try await serve(
      identity, trusting: authority, script: { _ in (Self.answer, .cut) }
    ) {
      transport, server in
      for _ in 0..<3 {
        let value = try await transport.fetch(server.url).body.count
        #expect(value == 6)
      }
    }
    #expect(record.connections == 3)
  }

  @Test("A large body over TLS arrives in order")
  func largeBody() async throws {
    let authority = try TestAuthority()
    let identity = try authority.issue(names: "DNS:localhost")
    let body = (0..<200_000).map { String($0) }.joined(separator: ",")
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    _ = try await serve(identity, trusting: authority, script: { _ in (answer, .keep) }) {
      transport, server in
      for _ in 0..<2 {
        let value = try await transport.fetch(server.url).body
        #expect(value == Array(body.utf8))
      }
    }
  }

  @Test("A file of authorities that cannot be read is an error that names it")
  func missingAuthorities() async throws {
    var options = SocketOptions()
    options.authorities = "/no/such/file.pem"
    let authority = try TestAuthority()
    let server = try TLSServer(try authority.issue(names: "DNS:localhost")) { _ in
      (Self.answer, .keep)
    }
    let transport = SocketTransport(options)
    let error = try await transport.failure(server.url)
    #expect(error.code == .tls)
    #expect(error.detail.contains("/no/such/file.pem"))
    await transport.shutdown()
    server.stop()
  }
}
