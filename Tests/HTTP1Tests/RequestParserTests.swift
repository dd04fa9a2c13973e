import HTTP1
import Models
import Testing

@Suite("Request parser")
struct RequestParserTests {
  static let refused: [(String, HTTPParseError.Code)] = [
    ("GET / HTTP/1.1\r\n\r\n", .host),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", .host),
    ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", .transferEncoding),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 6\r\n\r\n", .contentLength),
    ("GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", .fold),
    ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", .fieldName),
    ("GET / HTTP/1.1\nHost: a\r\n\r\n", .lineEnd),
    ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", .target),
    ("GET / / HTTP/1.1\r\nHost: a\r\n\r\n", .version),
    ("GET /\r\nHost: a\r\n\r\n", .startLine),
    ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", .version),
    ("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", .version),
    ("G=T / HTTP/1.1\r\nHost: a\r\n\r\n", .method),
    ("GET /\u{e9} HTTP/1.1\r\nHost: a\r\n\r\n", .target),
    ("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .startLine),
    ("GET / HTTP/1.1\r\nHost: a\r\n", .truncated),
    ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell", .truncated),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "y", count: 16_384), .headTooLarge),
  ]

  @Test("refuses requests that another server could parse differently", arguments: refused)
  func refuses(_ text: String, _ code: HTTPParseError.Code) {
    let outcome = accept(text)
    #expect(outcome.error?.code == code)
    #expect(!outcome.allowsReuse)
    #expect(accept(singleBytes(Array(text.utf8))) == outcome)
  }

  @Test("reads head and body, and leaves the next request unread")
  func body() {
    let text =
      "\r\nPOST /a%20b?c HTTP/1.1\r\nHost: localhost:80\r\nContent-Length: 5\r\n\r\nhelloGET /"
    let outcome = accept(text)
    #expect(outcome.head?.method == "POST")
    #expect(outcome.head?.target == "/a%20b?c")
    #expect(outcome.head?.fields["host"] == "localhost:80")
    #expect(outcome.body == Array("hello".utf8))
    #expect(outcome.surplus == Array("GET /".utf8))
    #expect(outcome.allowsReuse)
    #expect(accept(singleBytes(Array(text.utf8))) == outcome)
  }

  @Test(
    "keeps the connection as the client asks",
    arguments: [
      ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", true),
      ("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", false),
      ("GET / HTTP/1.0\r\n\r\n", false),
      ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true),
    ])
  func persistence(_ text: String, _ expected: Bool) {
    #expect(accept(text).allowsReuse == expected)
  }
}
