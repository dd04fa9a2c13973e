import HTTP1
import Models
import Origin
import Testing
import Transport

extension TransportContract {
  static let requests = [
    Rule("The request has the required fields and none about a body") { transport in
      let server = try ScriptedServer { _, _, _ in .ok("x") }
      _ = try await transport.fetch(server.url + "a/b%20c?d=e&f#g")
      let request = try #require(await server.requests(count: 1).first)
      let head = try #require(request.head)
      #expect(head.method == "GET")
      #expect(head.target == "/a/b%20c?d=e&f")
      #expect(head.minorVersion == 1)
      #expect(head.fields.all("Host") == ["127.0.0.1:\(server.port)"])
      #expect(head.fields.fields.first?.name == "Host")
      #expect(head.fields["User-Agent"]?.isEmpty == false)
      #expect(head.fields["Accept"] == "*/*")
      #expect(head.fields.all("Accept-Encoding") == ["identity"])
      for name in ["Content-Length", "Transfer-Encoding", "Referer", "Cookie", "TE"] {
        #expect(head.fields[name] == nil)
      }
      #expect(request.allowsReuse)
    },
    Rule("The caller's fields are sent") { transport in
      let server = try ScriptedServer { _, _, _ in .ok("x") }
      _ = try await transport.fetch(
        server.url,
        fields: HTTPFields([
          "Range": "bytes=5-", "If-Range": "\"tag\"", "Authorization": "Bearer t", "X-Own": "a, b",
        ]))
      let head = try #require(await server.requests(count: 1).first?.head)
      #expect(head.fields["Range"] == "bytes=5-")
      #expect(head.fields["If-Range"] == "\"tag\"")
      #expect(head.fields["Authorization"] == "Bearer t")
      #expect(head.fields["X-Own"] == "a, b")
    },
    Rule("The caller cannot change the framing of the message") { transport in
      let server = try ScriptedServer { _, _, _ in .ok("x") }
      _ = try await transport.fetch(
        server.url,
        fields: HTTPFields([
          "Host": "other.example", "Content-Length": "10", "Transfer-Encoding": "chunked",
          "Connection": "upgrade", "accept-encoding": "gzip",
        ]))
      let request = try #require(await server.requests(count: 1).first)
      let head = try #require(request.head)
      #expect(head.fields.all("Host") == ["127.0.0.1:\(server.port)"])
      #expect(head.fields["Content-Length"] == nil)
      #expect(head.fields["Transfer-Encoding"] == nil)
      #expect(head.fields.all("Accept-Encoding") == ["identity"])
      #expect(request.body.isEmpty)
    },
    Rule("A field that could end its line is never sent") { transport in
      let server = try ScriptedServer { _, _, _ in .ok("x") }
      let fields = [
        ("X-A", "b\r\nX-Evil: 1"), ("X-A", "b\nX-Evil: 1"), ("X-A", "b\rc"), ("X-A", "b\0c"),
        ("X-A: b\r\nX-Evil", "1"), ("X A", "b"), ("", "b"), ("X:A", "b"),
      ]
      for (name, value) in fields {
        var list = HTTPFields()
        list.append(name, value)
        let error = try await transport.failure(server.url, fields: list)
        #expect(error.code == .invalidRequest)
        #expect(!error.isRetryable)
        #expect(!error.detail.contains("Evil: 1"))
      }
      #expect(server.requests.isEmpty)
    },
  ]
}
