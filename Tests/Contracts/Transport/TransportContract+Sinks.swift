import Glibc
import HTTP1
import Models
import Origin
import Testing
import Transport

extension TransportContract {
  private static func perform(
    _ transport: any Transport, _ url: String, _ sink: CollectingSink
  ) async throws -> TransportResponse {
    try await transport.perform(
      TransportRequest(url: try HTTPURL(url), limits: .testing, addresses: .any), into: sink)
  }

  static let sinks = [
    Rule("A body that the sink refuses is not delivered") { transport in
      let small = try ScriptedServer { _, _, _ in .ok("unwanted") }
      let large = try ScriptedServer { _, _, _ in .ok(randomBytes(8 << 20, seed: 4)) }
      let endless = try ScriptedServer { _, _, _ in
        [.sendString("HTTP/1.1 200 OK\r\n\r\nbegin"), .hold(nil)]
      }
      for server in [small, large, endless] {
        let sink = CollectingSink(decision: .refuse)
        let response = try await perform(transport, server.url, sink)
        sink.close()
        #expect(response.body == .refused)
        #expect(response.head.status == 200)
        #expect(sink.heads == [response.head])
        #expect(sink.body.isEmpty)
      }
      #expect(try await transport.fetch(small.url).body == Array("unwanted".utf8))
    },
    Rule("A body that is refused and never comes costs no time-out") { transport in
      let server = try ScriptedServer { _, index, request in
        request.head?.target == "/stall"
          ? [.sendString("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"), .hold(nil)] : .ok("x")
      }
      let response = try await perform(
        transport, server.url + "stall", CollectingSink(decision: .refuse))
      #expect(response.body == .refused)
      #expect(try await transport.fetch(server.url).body == Array("x".utf8))
    },
    Rule("A sink that fails ends the transfer with its own error") { transport in
      let server = try ScriptedServer { _, _, _ in .ok(randomBytes(300_000, seed: 5)) }
      let error = try await transport.failure(server.url, sink: CollectingSink(capacity: 100_000))
      #expect(error.code == .sink)
      #expect(error.sinkError?.isDiskFull == true)
      #expect(error.detail.contains("the sink is full"))
      let early = CollectingSink(beginError: SinkError("no place"))
      #expect(try await transport.failure(server.url, sink: early).code == .sink)
      #expect(early.body.isEmpty)
      #expect(try await transport.fetch(server.url).body.count == 300_000)
    },
    Rule("The time that a sink takes does not count as the server's silence") { transport in
      let taken = try Gate()
      let server = try ScriptedServer { _, _, _ in
        [
          .sendString("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab"), .hold(taken),
          .sendString("cd"),
        ]
      }
      let limits = TransferLimits.testing.with { $0.idleTimeout = 1.5 }
      let sink = CollectingSink(onReceive: {
        guard !taken.isOpen else { return }
        // A disk that is slower than the server is patient; the thread is the transport's.
        poll(nil, 0, 2_400)
        taken.open()
      })
      let url = try HTTPURL(server.url)
      _ = try await transport.perform(
        TransportRequest(url: url, limits: limits, addresses: .any), into: sink)
      #expect(sink.body == Array("abcd".utf8))
    },
    Rule("The sink is asked about statuses of failure too") { transport in
      let server = try ScriptedServer(
        answer: "HTTP/1.1 503 Busy\r\nRetry-After: 2\r\nContent-Length: 4\r\n\r\nbusy")
      let response = try await perform(transport, server.url, CollectingSink(decision: .refuse))
      #expect(response.body == .refused)
      #expect(response.head.status == 503)
      #expect(response.head.fields["Retry-After"] == "2")
    },
  ]
}
