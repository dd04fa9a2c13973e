import HTTP1
import Models
import Origin
import Testing
import Transport

extension TransportContract {
  static let redirects = [
    Rule("Redirects are followed, relative and absolute ones") { transport in
      let scheme = ScriptedServer.scheme
      let server = try ScriptedServer { _, _, request in
        let host = request.head?.fields["Host"] ?? ""
        return switch request.head?.target {
        case "/a/1": .redirect(301, to: "2")
        case "/a/2": .redirect(302, to: "../b/3?q", body: "moved")
        case "/b/3?q": .redirect(303, to: "//\(host)/4")
        case "/4": .redirect(307, to: "\(scheme)://\(host)/5#fragment")
        case "/5": .redirect(308, to: "/6")
        default: .ok(request.head?.target ?? "")
        }
      }
      let fetched = try await transport.fetch(server.url + "a/1")
      #expect(String(decoding: fetched.body, as: UTF8.self) == "/6")
      #expect(fetched.response.head.status == 200)
      #expect(fetched.response.head.url.description == server.url + "6")
      #expect(fetched.response.redirectCount == 5)
      #expect(server.requests.allSatisfy { $0.head?.method == "GET" })
    },
    Rule("The sink receives no body of a redirect") { transport in
      let body = String(repeating: "x", count: 200_000)
      let server = try ScriptedServer { _, _, request in
        switch request.head?.target {
        case "/large": .redirect(to: "/end", body: body)
        case "/endless":
          [.sendString("HTTP/1.1 302 Found\r\nLocation: /end\r\n\r\n\(body)"), .hold(nil)]
        case "/chunked":
          [
            .sendString(
              "HTTP/1.1 302 Found\r\nLocation: /end\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n0\r\n\r\n")
          ]
        default: .ok("end")
        }
      }
      for path in ["large", "endless", "chunked"] {
        let fetched = try await transport.fetch(server.url + path)
        #expect(fetched.body == Array("end".utf8))
      }
    },
    Rule("The sink learns of each redirect before the next request, and not of its body") {
      transport in
      let other = try ScriptedServer { _, _, request in
        request.head?.target == "/3"
          ? .redirect(307, to: "/4", fields: "X-Hop: 3\r\n") : .ok("end", fields: "X-Hop: 4\r\n")
      }
      let url = other.url + "3"
      let server = try ScriptedServer { _, _, request in
        request.head?.target == "/1"
          ? .redirect(301, to: "/2", body: "moved", fields: "X-Hop: 1\r\n")
          : .redirect(302, to: url, fields: "X-Hop: 2\r\nX-Hop: 2b\r\n")
      }
      let sink = CollectingSink()
      let request = TransportRequest(
        url: try HTTPURL(server.url + "1"), limits: .testing, addresses: .any)
      let response = try await transport.perform(request, into: sink)
      sink.close()
      #expect(sink.heads == [response.head])
      #expect(sink.body == Array("end".utf8))
      let redirects = sink.redirects
      #expect(redirects.map(\.status) == [301, 302, 307])
      #expect(redirects.map(\.url.description) == [server.url + "1", server.url + "2", url])
      // A transport may join the values of a repeated field.
      let fields = redirects.map { $0.fields.all("X-Hop").joined(separator: ", ") }
      #expect(fields == ["1", "2, 2b", "3"])
      #expect(redirects.map { $0.fields["Location"] } == ["/2", url, "/4"])
      #expect(redirects.map(\.hasLeftOrigin) == [false, false, true])
      #expect(redirects.allSatisfy { $0.remoteAddress == response.head.remoteAddress })
      #expect(sink.lateCalls == 0)
    },
    Rule("The sink learns of a redirect whose target fails, and of none that is not followed") {
      transport in
      let dead = try ScriptedServer { _, _, _ in [.close] }
      let url = dead.url
      let server = try ScriptedServer { _, _, request in
        switch request.head?.target {
        case "/dead": .redirect(to: url, fields: "X-Hop: 1\r\n")
        case "/file": .redirect(to: "file:///etc/passwd")
        default: .redirect(to: "/")
        }
      }
      for (path, codes) in [
        ("dead", [.connectionLost]), ("file", [.badRedirect]),
        ("", [.tooManyRedirects]),
      ] as [(String, [TransportError.Code])] {
        let sink = CollectingSink()
        let error = try await transport.failure(server.url + path, sink: sink)
        #expect(codes.contains(error.code), "\(path)")
        #expect(sink.heads.isEmpty && sink.lateCalls == 0)
        #expect(sink.redirects.map { $0.fields["X-Hop"] } == (path == "dead" ? ["1"] : []))
      }
    },
    Rule("Within the origin the caller's fields go along, beyond it they do not") { transport in
      let other = try ScriptedServer { _, _, _ in .ok("other") }
      let url = other.url
      let server = try ScriptedServer { _, _, request in
        request.head?.target == "/" ? .redirect(to: "/2") : .redirect(to: url)
      }
      let fields = HTTPFields([
        "Authorization": "Bearer secret", "Cookie": "secret", "X-Api-Key": "secret",
      ])
      let fetched = try await transport.fetch(server.url, fields: fields)
      #expect(fetched.body == Array("other".utf8))
      for request in server.requests {
        for field in fields.fields { #expect(request.head?.fields[field.name] == field.value) }
      }
      let head = try #require(await other.requests(count: 1).first?.head)
      for field in fields.fields { #expect(head.fields[field.name] == nil) }
      #expect(head.fields["Host"] == "127.0.0.1:\(other.port)")
    },
    Rule("The rest of a broken transfer is requested from the other origin that has begun it") {
      transport in
      let content = Array("0123456789".utf8)
      let other = try ScriptedServer { _, _, request in
        let fields = request.head?.fields
        guard fields?["Range"] == "bytes=4-", fields?["If-Range"] == "\"v1\"" else {
          return [
            .sendString("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 10\r\n\r\n0123"),
            .close,
          ]
        }
        return [
          .sendString(
            "HTTP/1.1 206 Partial Content\r\nETag: \"v1\"\r\nContent-Length: 6\r\n"
              + "Content-Range: bytes 4-9/10\r\n\r\n456789")
        ]
      }
      let url = other.url + "target"
      let server = try ScriptedServer { _, _, _ in .redirect(to: url) }
      let broken = try await transport.failure(server.url)
      #expect(broken.isRetryable && broken.url.description == url)
      let fields = HTTPFields([
        "Range": "bytes=4-", "If-Range": "\"v1\"", "Authorization": "Bearer secret",
      ])
      let fetched = try await transport.fetch(server.url, fields: fields)
      #expect(fetched.response.head.status == 206)
      #expect(fetched.response.head.hasLeftOrigin)
      #expect(fetched.body == Array(content[4...]))
      let sent = try #require(other.requests.last?.head)
      #expect(sent.fields["Authorization"] == nil)
    },
    Rule("A range whose version is identified by a date does not leave the origin") { transport in
      let other = try ScriptedServer { _, _, _ in .ok("other") }
      let url = other.url
      let server = try ScriptedServer { _, _, _ in .redirect(to: url) }
      let fields = HTTPFields([
        "Range": "bytes=4-", "If-Range": "Tue, 01 Jul 2025 10:00:00 GMT",
      ])
      let fetched = try await transport.fetch(server.url, fields: fields)
      #expect(fetched.body == Array("other".utf8))
      let head = try #require(await other.requests(count: 1).first?.head)
      #expect(head.fields["Range"] == nil && head.fields["If-Range"] == nil)
    },
    Rule("Fields are not sent again on a return to the origin, and the head tells that it was left")
    {
      transport in
      let scheme = ScriptedServer.scheme
      let other = try ScriptedServer { _, _, request in
        // The target names the port of the server that has redirected here.
        let port = request.head?.target.dropFirst() ?? ""
        return .redirect(to: "\(scheme)://127.0.0.1:\(port)/back")
      }
      let url = other.url
      let server = try ScriptedServer { _, _, request in
        let host = request.head?.fields["Host"] ?? ""
        let port = host.split(separator: ":").last ?? ""
        return switch request.head?.target {
        case "/away": .redirect(to: "\(url)\(port)")
        case "/within": .redirect(to: "/back")
        default: .ok("end")
        }
      }
      let fields = HTTPFields(["X-Api-Key": "secret"])
      for (path, hasLeft) in [("back", false), ("within", false), ("away", true)] {
        let fetched = try await transport.fetch(server.url + path, fields: fields)
        #expect(fetched.response.head.url.description == server.url + "back")
        #expect(fetched.response.head.hasLeftOrigin == hasLeft, "\(path)")
        let sent = server.requests.last?.head?.fields["X-Api-Key"]
        #expect(sent == (hasLeft ? nil : "secret"), "\(path)")
      }
    },
    Rule("A circle of redirects and too many of them are errors") { transport in
      let server = try ScriptedServer { _, _, request in
        let target = request.head?.target ?? ""
        if target == "/a" { return .redirect(to: "/b") }
        if target == "/b" { return .redirect(to: "/a") }
        let count = Int(target.dropFirst()) ?? 0
        return count < 50 ? .redirect(to: "/\(count + 1)") : .ok("end")
      }
      let circle = try await transport.failure(server.url + "a")
      #expect(circle.code == .tooManyRedirects)
      #expect(server.requests.count == 2)
      let many = try await transport.failure(server.url + "0")
      #expect(many.code == .tooManyRedirects)
      #expect(server.requests.count == 2 + 11)
      let limits = TransferLimits.testing.with { $0.maxRedirects = 50 }
      #expect(
        try await transport.fetch(server.url + "0", limits: limits).response.redirectCount == 50)
    },
    Rule("A redirect without a usable Location is an error") { transport in
      let server = try ScriptedServer { _, _, request in
        switch request.head?.target {
        case "/none": [.sendString("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n")]
        case "/two":
          [
            .sendString(
              "HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")
          ]
        case "/file": .redirect(to: "file:///etc/passwd")
        case "/ftp": .redirect(to: "ftp://127.0.0.1/")
        case "/data": .redirect(to: "data:,x")
        case "/user": .redirect(to: "http://user:pass@127.0.0.1/")
        default: .redirect(to: "http://[::1")
        }
      }
      for path in ["none", "two", "file", "ftp", "data", "user", "brackets"] {
        let error = try await transport.failure(server.url + path)
        #expect(error.code == .badRedirect, "\(path)")
        #expect(!error.isRetryable)
      }
    },
    Rule("A 300 and a 304 with a Location are not redirects") { transport in
      let server = try ScriptedServer { _, _, request in
        let status = request.head?.target.dropFirst() ?? ""
        return [.sendString("HTTP/1.1 \(status) X\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n")]
      }
      for status in [300, 304] {
        let fetched = try await transport.fetch(server.url + "\(status)")
        #expect(fetched.response.head.status == status)
        #expect(fetched.response.redirectCount == 0)
      }
    },
  ]
}
