import HTTP1
import Models
import Origin
import Testing
import Transport

extension TransportContract {
  static let plainServers = [
    Rule("An https URL of a plain-text server is an error that says so") { transport in
      // Any server of plain http answers the beginning of TLS like this.
      let server = try ScriptedServer.$security.withValue(nil) {
        try ScriptedServer { _, _, _ in
          [.sendString("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")]
        }
      }
      let error = try await transport.failure("https://127.0.0.1:\(server.port)/")
      #expect(error.code == .tls)
      #expect(error.detail.contains(TransportError.plainTextServer), "\(error.detail)")
    }
  ]

  /// Responses that are not HTTP, or that violate HTTP so that they must not be trusted, by a name for messages.
  private static let illegal = [
    ("different lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy"),
    ("list of different lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\nxy"),
    ("negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx"),
    ("length with a sign", "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\nx"),
    ("huge length", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nx"),
    ("unknown coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"),
    ("bad chunk size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n0\r\n\r\n"),
    (
      "chunk without end",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n0\r\n\r\n"
    ),
    ("huge chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\nx"),
    ("no HTTP", "SSH-2.0-OpenSSH_9.2\r\n\r\n"),
    ("unasked upgrade", "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    ("NUL in a value", "HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 1\r\n\r\nx"),
  ]

  /// Cuts of a response, with what they must come to.
  private static let cuts: [(name: String, answer: String, codes: Set<TransportError.Code>)] = [
    (
      "in the body", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
      [.truncated, .connectionLost]
    ),
    (
      "before the body", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
      [.truncated, .connectionLost]
    ),
    (
      "in a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
      [.truncated, .connectionLost]
    ),
    (
      "before the last chunk",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
      [.truncated, .connectionLost]
    ),
    (
      "before the last line",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
      [.truncated, .connectionLost]
    ),
    ("in the head", "HTTP/1.1 200 OK\r\nContent-Le", [.connectionLost]),
    ("in the status line", "HTTP/1.", [.connectionLost, .protocolViolation]),
    ("before the answer", "", [.connectionLost]),
  ]

  static let brokenServers = [
    Rule("A response that is truncated is never a success") { transport in
      for (name, answer, codes) in cuts {
        let server = try ScriptedServer(answerAndClose: answer)
        let error = try await transport.failure(server.url)
        #expect(codes.contains(error.code), "\(name): \(error.code)")
        #expect(error.isRetryable)
      }
    },
    Rule("A connection that is reset is reported as lost") { transport in
      for answer in ["", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"] {
        let server = try ScriptedServer { _, _, _ in [.sendString(answer), .reset] }
        let error = try await transport.failure(server.url)
        #expect([.connectionLost, .truncated].contains(error.code), "\(error.code)")
        #expect(error.isRetryable)
      }
    },
    Rule("A close-delimited body that ends in a reset is not complete") { transport in
      let gate = try Gate()
      let server = try ScriptedServer { _, _, _ in
        [.sendString("HTTP/1.1 200 OK\r\n\r\nhello"), .hold(gate), .reset]
      }
      let sink = CollectingSink(onReceive: { gate.open() })
      let error = try await transport.failure(server.url, sink: sink)
      #expect([.connectionLost, .truncated].contains(error.code))
      #expect(error.bytesDelivered == 5)
    },
    Rule("Responses that violate HTTP are refused, each on its connection") { transport in
      for (name, answer) in illegal {
        let server = try ScriptedServer { _, _, request in
          request.head?.target == "/good" ? .ok("good") : [.sendString(answer), .close]
        }
        let error = try await transport.failure(server.url)
        #expect(error.code == .protocolViolation, "\(name): \(error.code)")
        #expect(error.isRetryable)
        #expect(error.detail.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f || $0 >= 0xc2 })
        #expect(try await transport.fetch(server.url + "good").body == Array("good".utf8))
        #expect(server.requests.last?.connection == 1, "\(name)")
      }
    },
    Rule("A header section without end or with too many fields is refused") { transport in
      let fields = (0..<300).map { "X-\($0): y\r\n" }.joined()
      let answers = [
        "HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 300_000),
        "HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n",
      ]
      for answer in answers {
        let server = try ScriptedServer { _, _, _ in [.sendString(answer), .hold(nil)] }
        let error = try await transport.failure(server.url)
        #expect([.limitExceeded, .protocolViolation].contains(error.code))
      }
    },
    Rule("Bytes after a response never become the next one") { transport in
      let server = try ScriptedServer { _, _, request in
        [
          .sendString(
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrue"
              + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
        ]
      }
      for _ in 0..<3 {
        #expect(try await transport.fetch(server.url).body == Array("true".utf8))
      }
      #expect(server.connectionCount == 3)
    },
    Rule("A port without a listener refuses the connection") { transport in
      let server = try ScriptedServer { _, _, _ in .ok("x") }
      let url = server.url
      server.stop()
      let error = try await transport.failure(url)
      #expect(error.code == .connectionRefused)
      #expect(error.isRetryable)
    },
    Rule("A name that does not exist cannot be resolved") { transport in
      let error = try await transport.failure("http://no-such-host.invalid/")
      #expect(error.code == .dns)
      #expect(error.detail.contains("no-such-host.invalid"))
    },
  ]
}
