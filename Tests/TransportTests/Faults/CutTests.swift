import HTTP1
import Origin
import SystemCalls
import Testing
import Transport
import TransportContracts

/// Replies in single bytes, and replies that end too early.
@Suite("Cut replies")
struct CutTests {
  /// Answers of which every part counts, by their text.
  private static let answers: [(name: String, text: String)] = [
    ("a length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
    (
      "chunks",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nX: y\r\n\r\n"
    ),
    (
      "interim responses",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 X\r\nLink: </a>\r\n\r\n"
        + "HTTP/1.1 206 Partial\r\nContent-Range: bytes 2-6/7\r\nContent-Length: 5\r\n\r\nhello"
    ),
    ("a folded line", "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 5\r\n\r\nhello"),
    ("no body", "HTTP/1.1 204 No Content\r\nX: y\r\n\r\n"),
  ]

  @Test(
    "A reply that ends at any byte is never taken for the whole", arguments: Scheme.allCases,
    [ScriptedServer.Action.close, .cut, .reset].indices)
  func everyByte(scheme: Scheme, ending: Int) async throws {
    let end = [ScriptedServer.Action.close, .cut, .reset][ending]
    let transport = try Backend.socket.makeTransport()
    for (name, text) in Self.answers {
      let bytes = Array(text.utf8)
      try await scheme.run {
        let server = try ScriptedServer { _, _, request in
          let count = Int(request.head?.target.dropFirst() ?? "") ?? 0
          return [.send(Array(bytes.prefix(count))), end]
        }
        for count in 0..<bytes.count {
          let error = try await transport.failure(server.url + "\(count)")
          #expect(
            [.connectionLost, .truncated].contains(error.code),
            "\(name) after \(count) bytes: \(error.code)")
          #expect(error.isRetryable)
        }
        server.stop()
      }
    }
    await transport.shutdown()
  }

  @Test("A truncated response is no success with url-session, either")
  func urlSession() async throws {
    let transport = try Backend.urlSession.makeTransport()
    // Each cut inside a header ends a helper process: all of them take minutes.
    let step = Machine.environment("IMGDL_LONG") == nil ? 29 : 1
    for (name, text) in Self.answers {
      let bytes = Array(text.utf8)
      let server = try ScriptedServer { _, _, request in
        let count = Int(request.head?.target.dropFirst() ?? "") ?? 0
        return [.send(Array(bytes.prefix(count))), .close]
      }
      for count in stride(from: 0, to: bytes.count, by: step) {
        let error = try await transport.failure(server.url + "\(count)")
        #expect(
          [.connectionLost, .truncated, .helperDied, .protocolViolation].contains(error.code),
          "\(name) after \(count) bytes: \(error.code)")
      }
      server.stop()
    }
    await transport.shutdown()
  }

  @Test("A response that arrives byte by byte is the same response")
  func singleBytes() async throws {
    let cases = (BodyFaults.cases + HeadFaults.cases).compactMap(Self.slowly)
    #expect(cases.count > 90)
    let table = try await FaultTable.run(cases, [.socket], width: 12)
    for row in table.rows {
      for place in row.differences(.socket) {
        Issue.record("\(row.fault.name): \(row.verdicts[place] ?? ""), not \(row.fault.expected)")
      }
    }
  }

  /// Answers with bytes behind them. Those that come after the next request has gone are nothing but
  /// its answer, for every client there is; only what comes earlier can be told.
  private static let withSurplus: Set = [
    "length smaller than the body", "204 with a body", "304 with a body",
    "bytes behind the response", "two responses at once", "a response behind the last chunk",
  ]

  /// The same case, its bytes sent one by one; nil for one that would take too long.
  private static func slowly(_ fault: FaultCase) -> FaultCase? {
    guard let text = fault.text, text.utf8.count <= 300, !withSurplus.contains(fault.name) else {
      return nil
    }
    return FaultCase(
      fault.group, fault.name, fault.expected, overTLS: fault.expectedOverTLS, limits: fault.limits
    ) { _ in [.sendSlowly(Array(text.utf8), chunk: 1)] + fault.ending }
  }
}
