import HTTP1
import Models
import Origin
import Synchronization
import Testing
import Transport

extension TransportContract {
  static let deadlines = [
    Rule("A server that says nothing runs into the idle time") { transport in
      let server = try ScriptedServer { _, _, _ in [.hold(nil)] }
      let limits = TransferLimits.testing.with { $0.idleTimeout = 1 }
      let error = try await transport.failure(server.url, limits: limits)
      #expect(error.code == .idleTimeout)
      #expect(error.isRetryable)
    },
    Rule("A body that stalls runs into the idle time") { transport in
      let server = try ScriptedServer { _, _, _ in
        [.sendString("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"), .hold(nil)]
      }
      try await allowingMore(from: 1) { seconds in
        let sink = CollectingSink()
        let limits = TransferLimits.testing.with { $0.idleTimeout = seconds }
        let error = try await transport.failure(server.url, limits: limits, sink: sink)
        #expect(error.code == .idleTimeout)
        #expect(sink.body == Array("hello".utf8.prefix(Int(error.bytesDelivered))))
        return error.bytesDelivered == 5
      }
    },
    Rule("A server that drips runs into the total time") { transport in
      let server = try ScriptedServer { _, _, _ in
        [
          .sendString("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"),
          .sendSlowly(randomBytes(100_000, seed: 6), chunk: 1),
        ]
      }
      try await allowingMore(from: 1.5) { seconds in
        let limits = TransferLimits.testing.with { $0.totalTimeout = seconds }
        let error = try await transport.failure(server.url, limits: limits)
        #expect(error.code == .totalTimeout)
        return error.bytesDelivered > 0
      }
    },
    Rule("A server that trickles is too slow, and what came is told") { transport in
      let server = try ScriptedServer { _, _, _ in
        [
          .sendString("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"),
          .sendSlowly(randomBytes(100_000, seed: 6), chunk: 1),
        ]
      }
      let limits = TransferLimits.testing.with {
        $0.lowSpeed = 100_000
        $0.lowSpeedTime = 1
      }
      let error = try await transport.failure(server.url, limits: limits)
      #expect(error.code == .lowSpeed)
      #expect(error.bytesDelivered > 0)
      #expect(error.detail.contains("less than 100000 bytes per second for 1 s"))
    },
    Rule("The time that a sink takes does not make a server slow") { transport in
      // A disk that stalls three times, together for longer than the time of the limit: until the server
      // has sent so many bytes, a millisecond each.
      let stalls = [try Gate(), try Gate(), try Gate()]
      let part = randomBytes(100_000, seed: 9)
      let drops = randomBytes(700, seed: 10)
      let server = try ScriptedServer { _, _, _ in
        [
          .sendString(
            "HTTP/1.1 200 OK\r\nContent-Length: \(3 * (part.count + drops.count))\r\n\r\n")
        ]
          + stalls.flatMap { [.send(part), .sendSlowly(drops, chunk: 1), .open($0)] }
      }
      let calls = Atomic<Int>(0)
      let sink = CollectingSink(onReceive: {
        let call = calls.add(1, ordering: .relaxed).oldValue
        if call < stalls.count { stalls[call].block() }
      })
      let limits = TransferLimits.testing.with {
        $0.lowSpeed = 200_000
        $0.lowSpeedTime = 1
      }
      _ = try await transport.perform(
        TransportRequest(url: try HTTPURL(server.url), limits: limits, addresses: .any), into: sink)
      #expect(sink.body == stalls.flatMap { _ in part + drops })
    },
    Rule("The total time spans redirects") { transport in
      let server = try ScriptedServer { _, _, request in
        request.head?.target == "/" ? .redirect(to: "/next") : [.hold(nil)]
      }
      let limits = TransferLimits.testing.with { $0.totalTimeout = 1.5 }
      #expect(try await transport.failure(server.url, limits: limits).code == .totalTimeout)
    },
  ]

  /// Repeats an exchange with more time until its first bytes came within it: how long the server and the transport take
  /// for them depends on the machine.
  private static func allowingMore(
    from seconds: Double, _ isEnough: (_ seconds: Double) async throws -> Bool
  ) async throws {
    var seconds = seconds
    while try await !isEnough(seconds) { seconds *= 2 }
  }

  static let cancellation = [
    Rule("A transfer that is cancelled before it begins asks nothing") { transport in
      let server = try ScriptedServer { _, _, _ in .ok("x") }
      let gate = try Gate()
      let task = Task { [url = server.url] in
        await gate.wait()
        return try await transport.failure(url)
      }
      task.cancel()
      gate.open()
      let error = try await task.value
      #expect(error.code == .cancelled)
      #expect(!error.isRetryable)
    },
    Rule("A transfer that is cancelled while it waits for the head ends") { transport in
      let asked = try Gate()
      let server = try ScriptedServer { _, _, _ in [.open(asked), .hold(nil)] }
      let task = Task { [url = server.url] in try await transport.failure(url) }
      await asked.wait()
      task.cancel()
      #expect(try await task.value.code == .cancelled)
    },
    Rule("A transfer that is cancelled in its body ends, and the sink hears no more") { transport in
      let begun = try Gate()
      let body = randomBytes(4 << 20, seed: 7)
      let server = try ScriptedServer { _, _, _ in
        [
          .sendString("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"), .send(body),
          .send(body),
          .hold(nil),
        ]
      }
      let sink = CollectingSink(onReceive: { begun.open() })
      let task = Task { [url = server.url] in try await transport.failure(url, sink: sink) }
      await begun.wait()
      task.cancel()
      #expect(try await task.value.code == .cancelled)
      // Another transfer gives the cancelled one time to do wrong.
      let other = try ScriptedServer { _, _, _ in .ok(body) }
      #expect(try await transport.fetch(other.url).body == body)
      #expect(sink.lateCalls == 0)
    },
    Rule("Cancelling one transfer leaves the others alone") { transport in
      let asked = try Gate()
      let gate = try Gate()
      let server = try ScriptedServer { _, _, request in
        request.head?.target == "/victim"
          ? [.open(asked), .hold(nil)] : [.hold(gate)] + .ok("fine")
      }
      let url = server.url
      let victim = Task { try await transport.failure(url + "victim") }
      let others = (0..<5).map { index in
        Task { try await transport.fetch(url + "\(index)").body }
      }
      await asked.wait()
      _ = await server.requests(count: 6)
      victim.cancel()
      #expect(try await victim.value.code == .cancelled)
      gate.open()
      for other in others { #expect(try await other.value == Array("fine".utf8)) }
    },
    Rule("Shutting down cancels what is in work, and nothing begins after it") { transport in
      let asked = try Gate()
      let server = try ScriptedServer { _, _, _ in [.open(asked), .hold(nil)] }
      let task = Task { [url = server.url] in try await transport.failure(url) }
      await asked.wait()
      await transport.shutdown()
      #expect(try await task.value.code == .cancelled)
      #expect(try await transport.failure(server.url).code == .cancelled)
      #expect(server.requests.count == 1)
    },
  ]
}
