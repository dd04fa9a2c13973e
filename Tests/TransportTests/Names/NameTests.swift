import HTTP1
import Models
import Origin
import SystemCalls
import TestSupport
import Testing
import Transport
import TransportContracts

@testable import TransportSocket

/// Names, looked up with a scripted server, through the socket transport.
@Suite("Names")
struct NameTests {
  private func transport(
    _ dns: ScriptedDNS, _ change: (inout SocketOptions) -> Void = { _ in }
  ) -> SocketTransport {
    var options = SocketOptions()
    options.dnsServers = [dns.endpoint]
    // Long enough for a busy machine; tests of silence have less patience.
    options.names.milliseconds = 20_000
    change(&options)
    return SocketTransport(options)
  }

  private func server() throws -> ScriptedServer { try ScriptedServer { _, _, _ in .ok("x") } }

  @Test("A name is looked up once for many transfers, both families")
  func coalescing() async throws {
    let server = try server()
    let dns = try ScriptedDNS { query in
      var reply = ScriptedDNS.Reply.addresses(query, ["127.0.0.1"])
      reply.isHeld = true
      return reply
    }
    let transport = transport(dns)
    let url = "http://pictures.example:\(server.port)/"
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try await transport.fetch(url) } }
      _ = try await dns.queries(count: 2)
      dns.release()
      try await group.waitForAll()
    }
    _ = try await transport.fetch(url)
    let questions = dns.queries.map(\.question)
    #expect(Set(questions).count == 2 && questions.count == 2)
    #expect(questions.allSatisfy { $0.name == "pictures.example" })
    await transport.shutdown()
    dns.stop()
  }

  @Test("An expired answer is queried again, and the new address is used")
  func changingAnswer() async throws {
    let server = try server()
    let dns = try ScriptedDNS { query in
      .addresses(query, [query.index == 0 ? "127.0.0.1" : "127.0.0.2"], seconds: 0)
    }
    let transport = transport(dns) {
      $0.names.limits.minimumLifetime = 0
      $0.addressFamily = .v4
      $0.loopCount = 1
    }
    let url = "http://moving.example:\(server.port)/"
    let first = try await transport.fetch(url)
    #expect(first.response.head.remoteAddress == "127.0.0.1")
    // Only 127.0.0.1 listens: that the second look-up was made and believed shows in the failure.
    let closing = try ScriptedServer(answerAndClose: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    let second = try await transport.failure("http://moving.example:\(closing.port)/")
    #expect(second.detail.contains("127.0.0.2"))
    #expect(dns.queries.count == 2)
    await transport.shutdown()
    dns.stop()
  }

  @Test("Errors of the DNS are described in words")
  func failures() async throws {
    let dns = try ScriptedDNS { query in
      switch query.question.name {
      case "missing.example": .noSuchName
      case "empty.example": .nothing
      case "broken.example": .init(status: .serverFailure)
      case "refusing.example": .init(status: .refused)
      case "junk.example": .init(junk: [1, 2, 3])
      case "forged.example": .init(hasWrongID: true)
      default: nil
      }
    }
    let patient = transport(dns)
    // Waits for the responses that do not come.
    let impatient = transport(dns) {
      $0.names.milliseconds = 200
      $0.names.tries = 1
    }
    for (name, words) in [
      ("missing.example", "does not exist"), ("empty.example", "has no address"),
      ("broken.example", "SERVFAIL"), ("refusing.example", "refuse"),
      ("silent.example", "no response"), ("junk.example", "no response"),
      ("forged.example", "no response"),
    ] {
      let transport = words == "no response" ? impatient : patient
      let error = try await transport.failure("http://\(name)/")
      #expect(error.code == .dns)
      #expect(error.detail.contains(words), "\(error.detail)")
      #expect(error.detail.contains("\"\(name)\""), "\(error.detail)")
    }
    await patient.shutdown()
    await impatient.shutdown()
    dns.stop()
  }

  @Test("A server that cannot be reached is named")
  func unreachable() async throws {
    let closed = try ScriptedDNS.closedPort()
    var options = SocketOptions()
    options.dnsServers = [closed]
    options.names.tries = 1
    let transport = SocketTransport(options)
    let error = try await transport.failure("http://pictures.example/")
    #expect(error.code == .dns)
    #expect(error.detail.contains("\(closed)"), "\(error.detail)")
    #expect(error.detail.contains("cannot be reached"), "\(error.detail)")
    await transport.shutdown()
  }

  @Test("Without a configuration the error says which file is missing")
  func noConfiguration() async throws {
    var options = SocketOptions()
    options.names.configurationFile = "/nowhere/resolv.conf"
    options.names.milliseconds = 100
    options.names.tries = 1
    let transport = SocketTransport(options)
    let error = try await transport.failure("http://pictures.invalid-for-us/")
    #expect(error.code == .dns)
    #expect(error.detail.contains("127.0.0.1:53"), "\(error.detail)")
    #expect(error.detail.contains("/nowhere/resolv.conf does not exist"), "\(error.detail)")
    await transport.shutdown()
  }

  @Test("The duration of a look-up is reported")
  func slowAnswer() async throws {
    let server = try server()
    let dns = try ScriptedDNS { query in
      var reply = ScriptedDNS.Reply.addresses(query, ["127.0.0.1"])
      reply.delay = 40
      return reply
    }
    let transport = transport(dns) { $0.addressFamily = .v4 }
    let timings = try await transport.fetch("http://slow.example:\(server.port)/").response.timings
    #expect(try #require(timings.dns) - #require(timings.queue) >= 40)
    await transport.shutdown()
    dns.stop()
  }

  @Test("A transfer that is cancelled leaves the look-up to the others")
  func cancelling() async throws {
    let server = try server()
    let dns = try ScriptedDNS { query in
      var reply = ScriptedDNS.Reply.addresses(query, ["127.0.0.1"])
      reply.isHeld = true
      return reply
    }
    let transport = transport(dns)
    let url = "http://pictures.example:\(server.port)/"
    let leaving = Task { try await transport.failure(url).code }
    let staying = Task { try await transport.fetch(url).body.count }
    _ = try await dns.queries(count: 2)
    leaving.cancel()
    let code = try await leaving.value
    #expect(code == .cancelled)
    dns.release()
    let count = try await staying.value
    #expect(count == 1)
    #expect(dns.queries.count == 2)
    await transport.shutdown()
    dns.stop()
  }

  @Test("A truncated answer is fetched over TCP")
  func truncation() async throws {
    let server = try server()
    let dns = try ScriptedDNS { query in
      var reply = ScriptedDNS.Reply.addresses(query, ["127.0.0.1"])
      reply.isTruncated = query.question.family == .v4
      return reply
    }
    let transport = transport(dns)
    let fetched = try await transport.fetch("http://long.example:\(server.port)/")
    #expect(fetched.body.count == 1)
    #expect(dns.queries.contains { $0.isTCP && $0.question.family == .v4 })
    await transport.shutdown()
    dns.stop()
  }

  @Test("A chain of aliases leads to the address, and holds for its shortest part")
  func aliases() async throws {
    let dns = try ScriptedDNS { query in
      guard query.question.family == .v4,
        let address = DNSMessage.Record.address("c.example", "127.0.0.1", seconds: 3_600)
      else { return .nothing }
      return ScriptedDNS.Reply(records: [
        .init(name: "a.example", seconds: 0, data: .alias("b.example")),
        .init(name: "b.example", seconds: 3_600, data: .alias("c.example")), address,
      ])
    }
    let transport = transport(dns) {
      $0.names.limits.minimumLifetime = 0
      $0.addressFamily = .v4
    }
    for _ in 0..<2 {
      let closing = try ScriptedServer(
        answerAndClose: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      _ = try await transport.fetch("http://a.example:\(closing.port)/")
    }
    #expect(dns.queries.count == 2)
    await transport.shutdown()
    dns.stop()
  }

  @Test("An answer with another identifier is not believed")
  func forgery() async throws {
    let server = try server()
    let dns = try ScriptedDNS { query in
      var reply = ScriptedDNS.Reply.addresses(query, ["127.0.0.1"])
      reply.isPrecededByForgery = true
      return reply
    }
    let transport = transport(dns) { $0.addressFamily = .v4 }
    let fetched = try await transport.fetch("http://forged.example:\(server.port)/")
    #expect(fetched.response.head.remoteAddress == "127.0.0.1")
    await transport.shutdown()
    dns.stop()
  }

  @Test("IPv4 is used when IPv6 has no answer, without waiting for it")
  func silentSix() async throws {
    let server = try server()
    let dns = try ScriptedDNS { query in
      query.question.family == .v4 ? .addresses(query, ["127.0.0.1"]) : nil
    }
    let transport = transport(dns)
    let fetched = try await transport.fetch("http://half.example:\(server.port)/")
    #expect(fetched.response.head.remoteAddress == "127.0.0.1")
    await transport.shutdown()
    dns.stop()
  }

  @Test("A family that does not accept connections is overtaken, and is last from then on")
  func overtaking() async throws {
    let server = try server()
    let dns = try ScriptedDNS { .addresses($0, ["127.0.0.1", "::1"]) }
    let transport = transport(dns) { $0.loopCount = 1 }
    // Nothing listens on ::1, so it is refused; IPv4 follows at once.
    for _ in 0..<3 {
      let fetched = try await transport.fetch("http://both.example:\(server.port)/")
      #expect(fetched.response.head.remoteAddress == "127.0.0.1")
    }
    await transport.shutdown()
    dns.stop()
  }

  @Test("The attempt after an unanswered connection goes to another address of the host")
  func unanswered() async throws {
    for actions in [[], [.reset], [.hold(nil)]] as [[ScriptedServer.Action]] {
      let server = try ScriptedServer(at: ["127.0.0.1", "127.0.0.2"]) { connection, _, _ in
        connection == 0 ? actions + [.close] : .ok("x")
      }
      let dns = try ScriptedDNS { query in
        query.question.family == .v4 ? .addresses(query, ["127.0.0.1", "127.0.0.2"]) : .nothing
      }
      let transport = transport(dns) { $0.loopCount = 1 }
      let url = "http://two.example:\(server.port)/"
      let failure = try await transport.failure(
        url, limits: .testing.with { $0.idleTimeout = 0.3 })
      #expect([.connectionLost, .idleTimeout].contains(failure.code))
      for _ in 0..<2 {
        let fetched = try await transport.fetch(url)
        #expect(fetched.response.head.remoteAddress == "127.0.0.2")
      }
      await transport.shutdown()
      dns.stop()
    }
  }

  @Test("Names of this machine's own file need no server")
  func hostsFile() async throws {
    let server = try server()
    let dns = try ScriptedDNS { _ in .noSuchName }
    let transport = transport(dns)
    let fetched = try await transport.fetch("http://localhost:\(server.port)/")
    #expect(fetched.response.head.remoteAddress == "127.0.0.1")
    #expect(dns.queries.isEmpty)
    await transport.shutdown()
    dns.stop()
  }

  @Test("Many simultaneous look-ups are queried in turn, and all get their answers")
  func manyNames() async throws {
    let server = try server()
    let dns = try ScriptedDNS { .addresses($0, ["127.0.0.1"]) }
    let transport = transport(dns) {
      $0.names.limits.concurrentLookups = 8
      $0.addressFamily = .v4
    }
    let port = server.port
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<200 {
        group.addTask { try await transport.fetch("http://n\(number).example:\(port)/").body.count }
      }
      for try await count in group { #expect(count == 1) }
    }
    #expect(dns.queries.count == 200)
    await transport.shutdown()
    dns.stop()
  }

  @Test("A name below localhost leads to this machine without a lookup, and is refused like it")
  func localNames() async throws {
    let server = try server()
    let dns = try ScriptedDNS { _ in .noSuchName }
    let transport = transport(dns)
    for name in ["a.localhost", "a.b.localhost."] {
      let url = "http://\(name):\(server.port)/"
      #expect(try await transport.fetch(url).body == Array("x".utf8))
      let error = try await transport.failure(url, addresses: .publicOnly)
      #expect(error.code == .addressRefused)
    }
    _ = try await transport.failure("http://notlocalhost/")
    #expect(dns.queries.allSatisfy { $0.question.name == "notlocalhost" })
    await transport.shutdown()
    dns.stop()
  }

  @Test("An answer that leads to a private address is refused where the policy says so")
  func policy() async throws {
    let dns = try ScriptedDNS { .addresses($0, ["127.0.0.1", "::1"]) }
    let transport = transport(dns)
    let error = try await transport.failure("http://inside.example/", addresses: .publicOnly)
    #expect(error.code == .addressRefused)
    await transport.shutdown()
    dns.stop()
  }

  @Test("Shutting down does not wait for a server that says nothing")
  func shutdown() async throws {
    let dns = try ScriptedDNS { _ in nil }
    let transport = transport(dns)
    let task = Task { try await transport.failure("http://silent.example/").code }
    _ = try await dns.queries(count: 2)
    await transport.shutdown()
    let code = try await task.value
    #expect(code == .cancelled)
    dns.stop()
  }
}
