import HTTP1
import Models
import Origin
import Testing
import Transport
import TransportContracts

@testable import TransportSocket

@Suite("Connections over all hosts")
struct ConnectionBudgetTests {
  @Test("Permits are assigned in turn and never exceed the limit", arguments: 0..<20)
  func machine(seed: Int) {
    var random = Sequence64(seed: UInt64(seed))
    let limit = Int(random.next() % 5) + 1
    var budget = ConnectionBudget<Int>(limit: limit)
    var held = [0, 0, 0]
    var line: [Int] = []
    for _ in 0..<2_000 {
      let loop = Int(random.next() % 3)
      if random.next() % 2 == 0 {
        if budget.acquire(for: loop) { held[loop] += 1 } else { line.append(loop) }
      } else if held[loop] > 0 {
        held[loop] -= 1
        let next = budget.release()
        #expect(next == line.first)
        if let next {
          line.removeFirst()
          held[next] += 1
        }
      }
      #expect(held.reduce(0, +) <= limit && budget.inUse == held.reduce(0, +))
      #expect(budget.isWanted == !line.isEmpty)
      #expect(line.isEmpty || budget.inUse == limit)
    }
  }

  @Test("No transfer waits for a loop that has ended")
  func leaving() {
    var budget = ConnectionBudget<Int>(limit: 1)
    let taken = [1, 1, 2].map { budget.acquire(for: $0) }
    #expect(taken == [true, false, false])
    budget.remove(1)
    #expect(budget.release() == 2)
    #expect(budget.release() == nil)
    #expect(budget.inUse == 0)
  }

  /// Names that all lead to one server, each an origin of its own.
  private func run(
    limit: Int, hosts: Int, _ body: (SocketTransport, Int) async throws -> Void,
    answering respond: @escaping ScriptedServer.Responder
  ) async throws -> ScriptedServer {
    let server = try ScriptedServer(respond: respond)
    let dns = try ScriptedDNS { .addresses($0, ["127.0.0.1"]) }
    var options = SocketOptions()
    options.dnsServers = [dns.endpoint]
    options.connections = limit
    options.addressFamily = .v4
    let transport = SocketTransport(options)
    try await body(transport, server.port)
    await transport.shutdown()
    dns.stop()
    return server
  }

  @Test("Many hosts share the connections, and each gets its turn", arguments: [1, 3])
  func manyHosts(limit: Int) async throws {
    let arrived = try Gate()
    let release = try Gate()
    let server = try await run(limit: limit, hosts: 20) { transport, port in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<20 {
          group.addTask {
            try await transport.fetch("http://n\(number).example:\(port)/").body.count
          }
        }
        await arrived.wait()
        release.open()
        for try await count in group { #expect(count == 1) }
      }
    } answering: { connection, _, _ in
      // All the connections that there may be at first are held, until the last of them is there.
      connection < limit
        ? (connection == limit - 1 ? [.open(arrived), .hold(release)] : [.hold(release)]) + .ok("x")
        : .ok("x")
    }
    #expect(server.requests.count == 20)
  }

  @Test("An idle connection is closed for a host that has none")
  func idleMakesRoom() async throws {
    let server = try await run(limit: 1, hosts: 4) { transport, port in
      for number in 0..<8 {
        let fetched = try await transport.fetch("http://n\(number % 4).example:\(port)/")
        #expect(fetched.body.count == 1)
      }
    } answering: { _, _, _ in
      .ok("x")
    }
    #expect(server.requests.count == 8)
    #expect(server.connectionCount == 8)
  }

  @Test("A transfer that waits for a connection can be cancelled without delaying others")
  func cancelling() async throws {
    let asked = try Gate()
    let release = try Gate()
    let server = try await run(limit: 1, hosts: 3) { transport, port in
      let first = Task { try await transport.fetch("http://a.example:\(port)/").body.count }
      await asked.wait()
      let waiting = Task { try await transport.failure("http://b.example:\(port)/").code }
      let last = Task { try await transport.fetch("http://c.example:\(port)/").body.count }
      waiting.cancel()
      let code = try await waiting.value
      #expect(code == .cancelled)
      release.open()
      let counts = try await [first.value, last.value]
      #expect(counts == [1, 1])
    } answering: { connection, _, _ in
      (connection == 0 ? [.open(asked), .hold(release)] : []) + .ok("x")
    }
    #expect(server.requests.count == 2)
  }
}
