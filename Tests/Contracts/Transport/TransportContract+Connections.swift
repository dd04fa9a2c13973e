import HTTP1
import Models
import Origin
import Testing
import Transport

extension TransportContract {
  static let connections = [
    Rule("Two hundred transfers at once each get their own body") { transport in
      let server = try ScriptedServer { _, _, request in
        let number = Int(request.head?.target.dropFirst() ?? "") ?? 0
        return .ok(randomBytes(1_000 + number, seed: UInt64(number)))
      }
      let url = server.url
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<200 {
          group.addTask {
            let fetched = try await transport.fetch(url + "\(number)")
            return fetched.body == randomBytes(1_000 + number, seed: UInt64(number))
          }
        }
        for try await isEqual in group { #expect(isEqual) }
      }
      #expect(server.requests.count == 200)
    },
    Rule("One transfer after the other uses one connection") { transport in
      let server = try ScriptedServer { _, _, _ in .ok("x") }
      var timings: [TransferTimings] = []
      for _ in 0..<10 { timings.append(try await transport.fetch(server.url).response.timings) }
      #expect(server.connectionCount == 1)
      #expect(timings.dropFirst().allSatisfy { $0.connect == nil && $0.dns == nil })
    },
    Rule("A redirect and its target use one connection") { transport in
      let server = try ScriptedServer { _, _, request in
        request.head?.target == "/" ? .redirect(to: "/next", body: "moved") : .ok("x")
      }
      #expect(try await transport.fetch(server.url).response.redirectCount == 1)
      #expect(server.connectionCount == 1)
    },
    Rule("A connection that the server closes after a response is not reused") { transport in
      let closing = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx"
      let old = "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx"
      for answer in [closing, old] {
        let server = try ScriptedServer(answer: answer)
        for _ in 0..<3 { #expect(try await transport.fetch(server.url).body == [0x78]) }
        #expect(server.connectionCount == 3)
      }
    },
    Rule("A reused connection that the server has closed is replaced by a new one") {
      transport in
      let server = try ScriptedServer { connection, _, _ in
        .ok("\(connection)") + [.close]
      }
      for number in 0..<5 {
        #expect(try await transport.fetch(server.url).body == Array("\(number)".utf8))
      }
    },
    Rule("A request on a reused connection that dies is repeated, on a new one it is not") {
      transport in
      let server = try ScriptedServer { connection, index, _ in
        connection == 0 && index == 0 ? .ok("first") : connection == 0 ? [.reset] : .ok("second")
      }
      #expect(try await transport.fetch(server.url).body == Array("first".utf8))
      #expect(try await transport.fetch(server.url).body == Array("second".utf8))
      #expect(server.requests.map(\.connection) == [0, 0, 1])
      let bad = try ScriptedServer { _, _, _ in [.close] }
      #expect(try await transport.failure(bad.url).code == .connectionLost)
      #expect(bad.requests.count == 1)
    },
    Rule("A reused connection that dies in the answer is an error") { transport in
      let server = try ScriptedServer { _, index, _ in
        index == 0 ? .ok("first") : [.sendString("HTTP/1.1 200 OK\r\nCont"), .close]
      }
      #expect(try await transport.fetch(server.url).body == Array("first".utf8))
      #expect(try await transport.failure(server.url).code == .connectionLost)
      #expect(server.requests.count == 2)
    },
    Rule("IPv6 works like IPv4") { transport in
      var configuration = OriginConfiguration()
      // With its port on IPv4, too: "localhost" is asked on ::1 first, and another test's server of that
      // name could have the same number.
      configuration.addresses = ["127.0.0.1", "::1"]
      let server = try OriginServer(configuration)
      let fetched = try await transport.fetch("http://[::1]:\(server.port)/")
      #expect(fetched.response.head.status == 404)
      #expect(fetched.response.head.remoteAddress ?? "::1" == "::1")
    },
    Rule("A source that may lead to public addresses only does not lead to loopback") { transport in
      let server = try ScriptedServer { _, _, _ in .ok("x") }
      let hosts = ["127.0.0.1", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]"]
      for host in hosts {
        let error = try await transport.failure(
          "\(ScriptedServer.scheme)://\(host):\(server.port)/", addresses: .publicOnly)
        #expect(error.code == .addressRefused)
        #expect(!error.isRetryable)
      }
      // A connection that another transfer has made is no way around it.
      #expect(try await transport.fetch(server.url).body == Array("x".utf8))
      let error = try await transport.failure(server.url, addresses: .publicOnly)
      #expect(error.code == .addressRefused)
      #expect(server.requests.count == 1)
    },
  ]
}
