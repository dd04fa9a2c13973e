import HTTP1
import Models
import Origin
import SystemCalls
import Testing
import Transport
import TransportContracts

@testable import TransportSocket
@testable import TransportURLSession

/// The socket transport through SOCKS proxies.
@Suite("SOCKS proxies")
struct SOCKSProxyTests {
  private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"

  private func transport(
    _ proxy: String, _ change: (inout SocketOptions) -> Void = { _ in }
  ) throws -> SocketTransport {
    var options = SocketOptions()
    let server = try ProxyServer(proxy)
    options.proxies = ProxyRules(http: server, https: server, exceptions: [])
    options.loopCount = 1
    change(&options)
    return SocketTransport(options)
  }

  private func connect(_ host: String, _ port: Int) -> TestSOCKSProxy.Message {
    .connect(address: [3, UInt8(host.utf8.count)] + Array(host.utf8), port: port)
  }

  @Test(
    "http URLs go through a tunnel in origin form, over a connection that is kept, without look-ups"
  )
  func plain() async throws {
    let dns = try ScriptedDNS { _ in .noSuchName }
    let server = try ScriptedServer { _, _, _ in .ok("x") }
    let proxy = try TestSOCKSProxy(user: "me", password: "secret")
    let transport = try transport("socks5://me:secret@127.0.0.1:\(proxy.port)") {
      $0.dnsServers = [dns.endpoint]
    }
    let port = try HTTPURL(server.url).port
    var fields = HTTPFields()
    fields.append("Proxy-Authorization", "Basic other")
    for path in ["a?b=c", "d"] {
      let fetched = try await transport.fetch(
        "http://pictures.example:\(port)/\(path)", fields: fields)
      #expect(fetched.body == [UInt8]("x".utf8))
      #expect(fetched.response.head.remoteAddress == nil)
    }
    #expect(
      proxy.messages == [
        .greeting([0, 2]), .credentials(user: "me", password: "secret"),
        connect("pictures.example", port),
      ])
    let requests = server.requests.compactMap(\.head)
    #expect(requests.map(\.target) == ["/a?b=c", "/d"])
    #expect(requests.allSatisfy { $0.fields["Host"] == "pictures.example:\(port)" })
    #expect(requests.allSatisfy { $0.fields["Proxy-Authorization"] == nil })
    #expect(dns.queries.isEmpty)
    await transport.shutdown()
    proxy.stop()
    dns.stop()
  }

  @Test("A tunnel leads to one origin and serves no other")
  func oneOrigin() async throws {
    let server = try ScriptedServer { _, _, _ in .ok("x") }
    let proxy = try TestSOCKSProxy()
    let transport = try transport(proxy.url)
    let port = try HTTPURL(server.url).port
    for host in ["a.example", "b.example", "a.example"] {
      #expect(try await transport.fetch("http://\(host):\(port)/").body.count == 1)
    }
    #expect(
      proxy.messages.filter(\.isConnect) == [
        connect("a.example", port), connect("b.example", port),
      ])
    await transport.shutdown()
    proxy.stop()
  }

  @Test("TLS is with the origin, by its name, and HTTP/2 is agreed on with it")
  func secure() async throws {
    let authority = try TestAuthority()
    let server = try HTTP2Server(identity: try authority.issue(names: "DNS:pictures.example")) {
      .send(HTTP2Frame.response($0.stream, "ok"))
    }
    let proxy = try TestSOCKSProxy()
    let transport = try transport(proxy.url) { $0.authorities = authority.path }
    let port = try HTTPURL(server.url).port
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await transport.fetch("https://pictures.example:\(port)/\(number)").response.head
            .status
        }
      }
      for try await status in group { #expect(status == 200) }
    }
    #expect(proxy.messages == [.greeting([0]), connect("pictures.example", port)])
    let error = try await transport.failure("https://other.example:\(port)/")
    #expect(error.code == .tls)
    await transport.shutdown()
    server.stop()
    proxy.stop()
  }

  @Test("A status 407 is sent by the origin, and is a response like any other")
  func status407() async throws {
    let server = try ScriptedServer { _, _, _ in
      [.sendString("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n")]
    }
    let proxy = try TestSOCKSProxy()
    let transport = try transport(proxy.url)
    #expect(try await transport.fetch(server.url).response.head.status == 407)
    await transport.shutdown()
    proxy.stop()
  }

  @Test("A proxy that refuses, sends invalid data or closes is named, without the password")
  func failures() async throws {
    // The answers to the greeting, the credentials and the request; nil ends the connection.
    for (answers, code, words) in [
      ([[5, 0], nil, [5, 5]], .connectionRefused, "connection refused (SOCKS reply 5)"),
      ([[5, 0], nil, nil], .connectionLost, "closed the connection"),
      ([nil, nil, nil], .connectionLost, "closed the connection"),
      (
        [Array("HTTP/1.1 400 \r\n\r\n".utf8), nil, nil], .protocolViolation, "not a SOCKS5"
      ),
      ([[5, 0xff], nil, nil], .proxy, "accepts no user name"),
      ([[5, 2], [1, 1], nil], .proxy, "does not accept the user"),
    ] as [([[UInt8]?], TransportError.Code, String)] {
      let proxy = try TestSOCKSProxy { message in
        switch message {
        case .greeting: answers[0].map { .bytes($0) } ?? .last([])
        case .credentials: answers[1].map { .bytes($0) } ?? .last([])
        case .connect: answers[2].map { .bytes($0) } ?? .last([])
        }
      }
      for scheme in ["http", "https"] {
        let transport = try transport("socks5h://me:secret@127.0.0.1:\(proxy.port)")
        let error = try await transport.failure("\(scheme)://pictures.example/")
        #expect(error.code == code, "\(error.detail)")
        #expect(error.detail.contains(words), "\(error.detail)")
        #expect(error.detail.contains("the SOCKS proxy 127.0.0.1:\(proxy.port)"), "\(error.detail)")
        #expect(!error.detail.contains("secret") && !"\(error)".contains("secret"))
        await transport.shutdown()
      }
      proxy.stop()
    }
  }

  @Test("A proxy that does not respond, or does not exist, is an error in time")
  func silence() async throws {
    for silentMessage in 0..<3 {
      let proxy = try TestSOCKSProxy { message in
        switch message {
        case .greeting: silentMessage == 0 ? .silence : .bytes([5, 2])
        case .credentials: silentMessage == 1 ? .silence : .bytes([1, 0])
        case .connect: .silence
        }
      }
      let transport = try transport("socks5://me:secret@127.0.0.1:\(proxy.port)")
      let limits = TransferLimits.testing.with { $0.connectTimeout = 0.1 }
      for scheme in ["http", "https"] {
        let error = try await transport.failure("\(scheme)://pictures.example/", limits: limits)
        #expect(error.code == .connectTimeout, "\(error.detail)")
        #expect(
          error.detail.contains("through the proxy 127.0.0.1:\(proxy.port)"), "\(error.detail)")
      }
      await transport.shutdown()
      proxy.stop()
    }
    let nowhere = try ScriptedDNS.closedPort()
    let transport = try transport("socks5://127.0.0.1:\(nowhere.port)")
    let refused = try await transport.failure("http://pictures.example/")
    #expect(refused.code == .connectionRefused && refused.detail.contains("the proxy 127.0.0.1"))
    let tooLong = String(repeating: "x", count: 300)
    await transport.shutdown()
    let proxy = try TestSOCKSProxy()
    let second = try self.transport(proxy.url)
    let unnamed = try await second.failure("http://\(tooLong)/")
    #expect(unnamed.code == .invalidRequest && unnamed.detail.contains("255 bytes"))
    await second.shutdown()
    proxy.stop()
  }

  @Test(
    "Where private addresses are forbidden, names are judged without a look-up unless it is asked for"
  )
  func addressPolicy() async throws {
    let dns = try ScriptedDNS { query in
      query.question.name == "mixed.example"
        ? .addresses(query, ["203.0.114.7", "10.0.0.1"]) : .addresses(query, ["203.0.114.7"])
    }
    let server = try ScriptedServer { _, _, _ in .ok("x") }
    let port = try HTTPURL(server.url).port
    let proxy = try TestSOCKSProxy()
    let transport = try transport(proxy.url) { $0.dnsServers = [dns.endpoint] }
    for host in ["outside.example", "mixed.example"] {
      _ = try await transport.fetch("http://\(host):\(port)/", addresses: .publicOnly)
    }
    for host in ["10.0.0.1", "[::1]", "localhost", "nas", "127.1", "a.local"] {
      let error = try await transport.failure("http://\(host):\(port)/", addresses: .publicOnly)
      #expect(error.code == .addressRefused, "\(error.detail)")
      if host != "[::1]" { #expect(error.detail.contains(host)) }
    }
    _ = try await transport.fetch("http://localhost:\(port)/", addresses: .noPublicToPrivate)
    #expect(proxy.messages.filter(\.isConnect).count == 3)
    #expect(dns.queries.isEmpty)
    await transport.shutdown()

    var network = Settings().network
    network.privateAddresses = .refuse
    #expect(SocketOptions(network).looksUpBehindSOCKS)
    #expect(!SocketOptions(Settings().network).looksUpBehindSOCKS)
    let strict = try self.transport(proxy.url) {
      $0.dnsServers = [dns.endpoint]
      $0.looksUpBehindSOCKS = true
    }
    _ = try await strict.fetch("http://outside.example:\(port)/", addresses: .publicOnly)
    let error = try await strict.failure("http://mixed.example:\(port)/", addresses: .publicOnly)
    #expect(error.code == .addressRefused, "\(error.detail)")
    #expect(!dns.queries.isEmpty)
    await strict.shutdown()
    proxy.stop()
    dns.stop()
  }

  @Test("The settings choose the proxy, and URLSession refuses it at the start")
  func settings() throws {
    var settings = Settings()
    try SettingsSchema.set(
      "network.httpsProxy", to: .text("socks5h://me:secret@h:1"), in: &settings)
    let rules = SocketOptions(settings.network).proxies
    #expect(rules.proxy(for: try HTTPURL("https://a.example/"))?.kind == .socks5)
    #expect(rules.proxy(for: try HTTPURL("http://a.example/")) == nil)
    do throws(URLSessionSettingsError) {
      try URLSessionSettingsError.check(settings.network)
      Issue.record("was accepted")
    } catch {
      #expect(error.description.contains("SOCKS proxies (network.httpsProxy)"))
      #expect(!error.description.contains("secret"))
    }
  }
}
