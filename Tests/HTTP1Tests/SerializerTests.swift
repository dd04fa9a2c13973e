import HTTP1
import Models
import Testing

@Suite("Serializers")
struct SerializerTests {
  @Test("write a request line by line")
  func request() throws {
    let head = RequestHeadMessage(
      method: "GET", target: "/a?b",
      fields: HTTPFields(["Host": "example.org", "Range": "bytes=5-"]))
    let text = String(decoding: try RequestSerializer.bytes(head), as: UTF8.self)
    #expect(text == "GET /a?b HTTP/1.1\r\nHost: example.org\r\nRange: bytes=5-\r\n\r\n")
    let lines = try FieldLines(head.fields)
    let again = try RequestSerializer.bytes(method: head.method, target: head.target, lines)
    #expect(String(decoding: again, as: UTF8.self) == text)
  }

  @Test("write a response with its reason phrase")
  func response() throws {
    let head = ResponseHeadMessage(status: 404, fields: HTTPFields(["Content-Length": "0"]))
    let text = String(decoding: try ResponseSerializer.bytes(head), as: UTF8.self)
    #expect(text == "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
  }

  @Test("write text that the parsers read as the same message")
  func roundTrip() throws {
    let fields = HTTPFields(["Host": "a", "X-Empty": "", "X": "a, \u{e9}\tb"])
    let request = RequestHeadMessage(method: "HEAD", target: "*", minorVersion: 0, fields: fields)
    #expect(accept([try RequestSerializer.bytes(request)[...]]).head == request)
    let response = ResponseHeadMessage(status: 204, fields: fields)
    let outcome = receive([try ResponseSerializer.bytes(response)[...]])
    #expect(outcome.fields == fields.fields.map { [$0.name, $0.value] })
  }

  @Test(
    "refuse characters that could end a line",
    arguments: [
      RequestHeadMessage(method: "GET", target: "/ HTTP/1.1\r\nX: y"),
      RequestHeadMessage(method: "GET", target: "/a b"),
      RequestHeadMessage(method: "GET", target: "/#a"),
      RequestHeadMessage(method: "GET", target: ""),
      RequestHeadMessage(method: "GET", target: "/\u{e9}"),
      RequestHeadMessage(method: "G T", target: "/"),
      RequestHeadMessage(method: "", target: "/"),
      RequestHeadMessage(method: "GET", target: "/", fields: HTTPFields(["X": "a\r\nY: b"])),
      RequestHeadMessage(method: "GET", target: "/", fields: HTTPFields(["X": "a\nb"])),
      RequestHeadMessage(method: "GET", target: "/", fields: HTTPFields(["X": "a\rb"])),
      RequestHeadMessage(method: "GET", target: "/", fields: HTTPFields(["X": "a\0b"])),
      RequestHeadMessage(method: "GET", target: "/", fields: HTTPFields(["X:": "a"])),
      RequestHeadMessage(method: "GET", target: "/", fields: HTTPFields(["": "a"])),
    ])
  func injection(_ head: RequestHeadMessage) {
    #expect(throws: HTTPParseError.self) { try RequestSerializer.bytes(head) }
    #expect(throws: HTTPParseError.self) {
      try RequestSerializer.bytes(
        method: head.method, target: head.target, FieldLines(head.fields))
    }
    if !head.fields.fields.isEmpty {
      let response = ResponseHeadMessage(status: 200, fields: head.fields)
      #expect(throws: HTTPParseError.self) { try ResponseSerializer.bytes(response) }
    }
  }

  @Test("never include a value in the error")
  func secrecy() {
    let head = RequestHeadMessage(
      method: "GET", target: "/", fields: HTTPFields(["Authorization": "secret\r\n"]))
    #expect {
      try RequestSerializer.bytes(head)
    } throws: {
      let text = String(describing: $0)
      return text.contains("Authorization") && !text.contains("secret")
    }
  }

  @Test("refuse a status that does not have three digits", arguments: [-1, 0, 99, 1_000, Int.max])
  func statuses(_ status: Int) {
    #expect(throws: HTTPParseError.self) {
      try ResponseSerializer.bytes(ResponseHeadMessage(status: status))
    }
  }
}
