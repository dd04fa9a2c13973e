import HTTP1
import Models
import Origin
import Testing
import Transport

extension TransportContract {
  static let bodies = [
    Rule("A body of known length arrives byte for byte") { transport in
      let body = randomBytes(100_000, seed: 1)
      let server = try ScriptedServer { _, _, _ in .ok(body) }
      let fetched = try await transport.fetch(server.url)
      #expect(fetched.body == body)
      #expect(fetched.response.body == .complete(byteCount: 100_000, isLengthKnown: true))
    },
    Rule("A large body arrives in order") { transport in
      let body = randomBytes(6 << 20, seed: 2)
      let server = try ScriptedServer { _, _, _ in .ok(body) }
      let fetched = try await transport.fetch(server.url)
      #expect(fetched.body == body)
    },
    Rule("A chunked body arrives without its chunks") { transport in
      let server = try ScriptedServer(
        answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "5\r\nhello\r\n001;name=value\r\n \r\nB\r\nlittle\r\nwor\r\n2\r\nld\r\n"
          + "0\r\nX-Trailer: dropped\r\n\r\n")
      let fetched = try await transport.fetch(server.url)
      #expect(String(decoding: fetched.body, as: UTF8.self) == "hello little\r\nworld")
      #expect(fetched.response.body == .complete(byteCount: 19, isLengthKnown: true))
      #expect(fetched.response.head.fields["X-Trailer"] == nil)
    },
    Rule("A body until the end of the connection is complete, with an unknown length") {
      transport in
      let body = randomBytes(70_000, seed: 3)
      let server = try ScriptedServer { _, _, _ in
        [.sendString("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"), .send(body), .close]
      }
      let fetched = try await transport.fetch(server.url)
      #expect(fetched.body == body)
      #expect(fetched.response.body == .complete(byteCount: 70_000, isLengthKnown: false))
    },
    Rule("A body of HTTP/1.0 ends with its connection") { transport in
      let server = try ScriptedServer(answerAndClose: "HTTP/1.0 200 OK\r\n\r\nold")
      let fetched = try await transport.fetch(server.url)
      #expect(fetched.body == Array("old".utf8))
    },
    Rule("A body may be empty") { transport in
      let heads = [
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      ]
      let server = try ScriptedServer { _, _, request in
        [.sendString(heads[request.head?.target == "/0" ? 0 : 1])]
      }
      for path in ["0", "1"] {
        let fetched = try await transport.fetch(server.url + path)
        #expect(fetched.body.isEmpty)
        #expect(fetched.response.body == .complete(byteCount: 0, isLengthKnown: true))
      }
    },
    Rule("204 and 304 have no body, for any fields") { transport in
      let server = try ScriptedServer { _, _, request in
        let status = request.head?.target == "/204" ? "204 No Content" : "304 Not Modified"
        return [.sendString("HTTP/1.1 \(status)\r\nContent-Length: 5\r\n\r\n")]
      }
      for status in [204, 304] {
        let fetched = try await transport.fetch(server.url + "\(status)")
        #expect(fetched.response.head.status == status)
        #expect(fetched.response.body == .complete(byteCount: 0, isLengthKnown: true))
      }
    },
    Rule("A response that arrives in single bytes is the same response") { transport in
      let server = try ScriptedServer { _, _, _ in
        [
          .sendSlowly(
            Array(
              "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
                .utf8),
            chunk: 1)
        ]
      }
      let fetched = try await transport.fetch(server.url)
      #expect(fetched.body == Array("abc".utf8))
      #expect(fetched.response.head.fields["A"] == "b")
    },
    Rule("A status of failure is a response like any other") { transport in
      let server = try ScriptedServer(
        answer: "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone")
      let fetched = try await transport.fetch(server.url)
      #expect(fetched.response.head.status == 404)
      #expect(fetched.body == Array("gone".utf8))
    },
    Rule("A body with as many bytes as allowed is complete, one more is too many") {
      transport in
      let server = try ScriptedServer { _, _, request in
        switch request.head?.target {
        case "/chunked":
          [
            .sendString(
              "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "8\r\n01234567\r\n3\r\n890\r\n0\r\n\r\n")
          ]
        case "/11": .ok("01234567890")
        default: .ok("0123456789")
        }
      }
      let limits = TransferLimits.testing.with { $0.maxBodyBytes = 10 }
      #expect(try await transport.fetch(server.url + "10", limits: limits).body.count == 10)
      for path in ["11", "chunked"] {
        let sink = CollectingSink()
        let error = try await transport.failure(server.url + path, limits: limits, sink: sink)
        #expect(error.code == .limitExceeded)
        // The name of the setting is in the words.
        #expect(error.detail.hasSuffix(TransportError.tooLarge(10)), "\(error.detail)")
        #expect(sink.body.count <= 10)
      }
    },
  ]

  static let heads = [
    Rule("The head has the status, URL and fields that were received") { transport in
      let server = try ScriptedServer { _, _, _ in
        .ok("x", fields: "ETag: \"a b\"\r\nX-Twice: 1\r\nX-Twice: 2\r\nX-Tight:3\r\n")
      }
      let head = try await transport.fetch(server.url + "a/b?c=%20d").response.head
      #expect(head.status == 200)
      #expect(head.url.description == server.url + "a/b?c=%20d")
      #expect(head.fields["etag"] == "\"a b\"")
      #expect(head.fields.all("x-twice").joined(separator: ", ") == "1, 2")
      #expect(head.fields["X-Tight"] == "3")
      #expect(head.contentLength == 1)
      #expect(head.remoteAddress == nil || head.remoteAddress == "127.0.0.1")
    },
    Rule("Interim responses are skipped") { transport in
      let server = try ScriptedServer(
        answer: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      let fetched = try await transport.fetch(server.url)
      #expect(fetched.response.head.status == 200)
      #expect(fetched.response.head.fields["Link"] == nil)
      #expect(fetched.body == Array("ok".utf8))
    },
    Rule("The timings follow each other") { transport in
      let server = try ScriptedServer { _, _, _ in .ok("x") }
      let timings = try await transport.fetch(server.url).response.timings
      let firstByte = try #require(timings.firstByte)
      let lastByte = try #require(timings.lastByte)
      #expect(firstByte > 0)
      #expect(firstByte <= lastByte)
      let phases = [timings.queue, timings.dns, timings.connect, timings.request]
      let known = phases.compactMap { $0 } + [firstByte]
      #expect(known == known.sorted())
      #expect(timings.tls == nil || ScriptedServer.scheme == "https")
      #expect(try #require(timings.duration) >= 0)
    },
  ]
}
