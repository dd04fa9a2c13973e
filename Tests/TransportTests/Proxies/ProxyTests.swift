import HTTP1
import Models
import Origin
import SystemCalls
import Testing
import Transport
import TransportContracts

@testable import TransportSocket

/// The socket transport through proxies.
@Suite("Proxies")
struct ProxyTests {
  private func transport(
    _ proxy: String, except exceptions: [String] = [],
    _ change: (inout SocketOptions) -> Void = { _ in }
  ) throws -> SocketTransport {
    var options = SocketOptions()
    let server = try ProxyServer(proxy)
    options.proxies = ProxyRules(http: server, https: server, exceptions: exceptions)
    change(&options)
    return SocketTransport(options)
  }

  private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"

  @Test(
    "http URLs are asked in absolute form, with the proxy's user, over a connection that is kept")
  func absoluteForm() async throws {
    let proxy = try TestProxy { _ in .bytes(Self.ok) }
    let transport = try transport("http://me:secret@127.0.0.1:\(proxy.port)")
    var fields = HTTPFields()
    fields.append("Proxy-Authorization", "Basic other")
    for path in ["a?b=c", "d"] {
      let fetched = try await transport.fetch("http://pictures.invalid/\(path)", fields: fields)
      #expect(fetched.body == [UInt8]("x".utf8))
      #expect(fetched.response.head.remoteAddress == nil)
    }
    let heads = proxy.heads
    #expect(heads.count == 2)
    #expect(heads[0].hasPrefix("GET http://pictures.invalid/a?b=c HTTP/1.1\r\n"))
    #expect(heads[0].contains("\r\nHost: pictures.invalid\r\n"))
    let authorization = BasicCredentials(user: "me", password: "secret").fieldValue
    #expect(heads[0].contains("Proxy-Authorization: \(authorization)\r\n"))
    #expect(!heads[0].contains("other"))
    await transport.shutdown()
    proxy.stop()
  }

  @Test("One connection to a proxy serves one origin after the other")
  func sharedConnection() async throws {
    let proxy = try TestProxy { _ in .bytes(Self.ok) }
    let transport = try transport(proxy.url) { $0.loopCount = 1 }
    for url in [
      "http://a.invalid/1", "http://b.invalid/1", "http://c.invalid:81/", "http://a.invalid/2",
    ] {
      #expect(try await transport.fetch(url).response.head.url.description == url)
    }
    #expect(
      proxy.heads.map { $0.prefix { $0 != "\r\n" } } == [
        "GET http://a.invalid/1 HTTP/1.1", "GET http://b.invalid/1 HTTP/1.1",
        "GET http://c.invalid:81/ HTTP/1.1", "GET http://a.invalid/2 HTTP/1.1",
      ])
    #expect(proxy.connections == 1)
    await transport.shutdown()
    proxy.stop()
  }

  @Test("If a proxy closes its connection, another origin gets a new one")
  func endedConnection() async throws {
    let proxy = try TestProxy { head in
      head.hasPrefix("GET http://a.invalid/1 ")
        ? .bytes("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx")
        : .bytes(Self.ok)
    }
    let transport = try transport(proxy.url) { $0.loopCount = 1 }
    for url in ["http://a.invalid/1", "http://b.invalid/", "http://a.invalid/2"] {
      #expect(try await transport.fetch(url).body.count == 1)
    }
    #expect(proxy.connections == 2)
    await transport.shutdown()
    proxy.stop()
  }

  @Test("A tunnel leads to one origin and serves no other")
  func tunnelsOfTheirOwn() async throws {
    let authority = try TestAuthority()
    let identity = try authority.issue(names: "DNS:a.invalid,DNS:b.invalid")
    let servers = try (0..<2).map { _ in try TLSServer(identity) { _ in (Self.ok, .keep) } }
    let (a, b) = ("a.invalid:\(servers[0].port)", "b.invalid:\(servers[1].port)")
    let proxy = try TestProxy { _ in .tunnel }
    let transport = try transport(proxy.url) {
      $0.authorities = authority.path
      $0.loopCount = 1
    }
    for authority in [a, b, a] {
      #expect(try await transport.fetch("https://\(authority)/").body.count == 1)
    }
    #expect(
      proxy.heads.map { $0.prefix { $0 != "\r\n" } } == [
        "CONNECT \(a) HTTP/1.1", "CONNECT \(b) HTTP/1.1",
      ])
    await transport.shutdown()
    servers.forEach { $0.stop() }
    proxy.stop()
  }

  @Test("https URLs go through a tunnel, and the origin never sees the proxy's user")
  func tunnel() async throws {
    let authority = try TestAuthority()
    let server = try TLSServer(try authority.issue(names: "DNS:localhost")) { _ in
      (Self.ok, .keep)
    }
    let proxy = try TestProxy { _ in .tunnel }
    let transport = try transport("http://me:secret@127.0.0.1:\(proxy.port)") {
      $0.authorities = authority.path
    }
    for _ in 0..<2 {
      let fetched = try await transport.fetch(server.url)
      #expect(fetched.body.count == 1 && fetched.response.head.remoteAddress == nil)
    }
    let heads = proxy.heads
    #expect(heads.count == 1)
    #expect(heads.first?.hasPrefix("CONNECT localhost:\(server.port) HTTP/1.1\r\n") == true)
    #expect(heads.first?.contains("Proxy-Authorization: Basic") == true)
    await transport.shutdown()
    server.stop()
    proxy.stop()
  }

  @Test("HTTP/2 is agreed on with the origin, through one tunnel for many transfers")
  func multiplexedTunnel() async throws {
    let authority = try TestAuthority()
    let server = try HTTP2Server(identity: try authority.issue(names: "DNS:localhost")) {
      .send(HTTP2Frame.response($0.stream, "ok"))
    }
    let proxy = try TestProxy { _ in .tunnel }
    let transport = try transport(proxy.url) {
      $0.authorities = authority.path
      $0.loopCount = 1
    }
    let url = server.url
    try await withThrowingTaskGroup(of: TransportResponse.self) { group in
      for number in 0..<20 {
        group.addTask { try await transport.fetch("\(url)\(number)").response }
      }
      for try await response in group { #expect(response.head.remoteAddress == nil) }
    }
    #expect(proxy.heads.count == 1)
    await transport.shutdown()
    server.stop()
    proxy.stop()
    #expect(server.record.connections == 1)
  }

  @Test("A proxy that refuses is named, and whether asking again may help is known")
  func refusals() async throws {
    for (answer, code, words) in [
      ("HTTP/1.1 407 No\r\nContent-Length: 3\r\n\r\nabc", .proxy, "requires a user name"),
      ("HTTP/1.1 403 No\r\n\r\n", .proxy, "HTTP 403"),
      ("HTTP/1.1 502 No\r\n\r\n", .connectionLost, "HTTP 502"),
      ("HTTP/1.1 200 OK\r\n\r\nsurplus", .protocolViolation, "unexpected data"),
      ("SSH-2.0-x\r\n\r\n", .protocolViolation, "proxy"),
    ] as [(String, TransportError.Code, String)] {
      let proxy = try TestProxy { _ in .bytes(answer) }
      let transport = try transport(proxy.url)
      let error = try await transport.failure("https://pictures.invalid/")
      #expect(error.code == code, "\(error.detail)")
      #expect(error.detail.contains(words), "\(error.detail)")
      #expect(error.detail.contains("127.0.0.1:\(proxy.port)"), "\(error.detail)")
      await transport.shutdown()
      proxy.stop()
    }
  }

  @Test("407 to a plain request is the proxy's, not the origin's")
  func wantsCredentials() async throws {
    let proxy = try TestProxy { _ in
      .bytes("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n")
    }
    let transport = try transport("http://me:secret@127.0.0.1:\(proxy.port)")
    let error = try await transport.failure("http://pictures.invalid/")
    #expect(error.code == .proxy)
    #expect(error.detail.contains("does not accept the user"))
    #expect(!error.detail.contains("secret"))
    await transport.shutdown()
    proxy.stop()
  }

  @Test("A proxy that closes, does not respond, or does not exist is an error that names it")
  func brokenProxies() async throws {
    let closing = try TestProxy { _ in .nothing }
    let first = try transport(closing.url)
    let closed = try await first.failure("https://pictures.invalid/")
    #expect(closed.code == .connectionLost)
    #expect(
      closed.detail.contains("the proxy 127.0.0.1:\(closing.port) closed"), "\(closed.detail)")
    await first.shutdown()
    closing.stop()
    let silent = try TestProxy { _ in .silence }
    let second = try transport(silent.url)
    let limits = TransferLimits.testing.with { $0.connectTimeout = 0.1 }
    let late = try await second.failure("https://pictures.invalid/", limits: limits)
    #expect(late.code == .connectTimeout && late.detail.contains("through the proxy"))
    await second.shutdown()
    silent.stop()
    let nowhere = try ScriptedDNS.closedPort()
    let third = try transport("http://127.0.0.1:\(nowhere.port)")
    let refused = try await third.failure("http://pictures.invalid/")
    #expect(refused.code == .connectionRefused && refused.detail.contains("the proxy 127.0.0.1"))
    await third.shutdown()
  }

  @Test("Excepted hosts are requested directly")
  func exceptions() async throws {
    let server = try ScriptedServer { _, _, _ in .ok("x") }
    let proxy = try TestProxy { _ in .nothing }
    let transport = try transport(proxy.url, except: ["127.0.0.0/8"])
    let fetched = try await transport.fetch(server.url)
    #expect(fetched.response.head.remoteAddress == "127.0.0.1")
    #expect(proxy.heads.isEmpty)
    await transport.shutdown()
    proxy.stop()
  }

  @Test("Where private addresses are forbidden, what the proxy is asked for must be public here")
  func addressPolicy() async throws {
    let dns = try ScriptedDNS { query in
      switch query.question.name {
      case "outside.example": .addresses(query, ["203.0.114.7"])
      case "mixed.example": .addresses(query, ["203.0.114.7", "10.0.0.1"])
      default: .noSuchName
      }
    }
    let proxy = try TestProxy { _ in .bytes(Self.ok) }
    let transport = try transport(proxy.url) { $0.dnsServers = [dns.endpoint] }
    _ = try await transport.fetch("http://outside.example/", addresses: .publicOnly)
    _ = try await transport.fetch("http://unknown.example/")
    for (url, code) in [
      ("http://mixed.example/", .addressRefused), ("http://unknown.example/", .dns),
      ("http://10.0.0.1/", .addressRefused),
    ] as [(String, TransportError.Code)] {
      let error = try await transport.failure(url, addresses: .publicOnly)
      #expect(error.code == code, "\(error.detail)")
    }
    #expect(proxy.heads.count == 2)
    await transport.shutdown()
    proxy.stop()
    dns.stop()
  }
}
