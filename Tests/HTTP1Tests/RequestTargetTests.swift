import HTTP1
import Testing

@Suite("Request target")
struct RequestTargetTests {
  @Test(
    "is decoded once, segment by segment",
    arguments: [
      ("/", []), ("/v1/status", ["v1", "status"]), ("/a%2Fb/c%20d", ["a/b", "c d"]),
      ("/%252e%252e", ["%2e%2e"]), ("/%C3%A9", ["\u{e9}"]), ("/v1?x=/../", ["v1"]),
      ("/?a", []), ("/a.b/...", ["a.b", "..."]),
    ])
  func segments(_ text: String, _ expected: [String]) throws {
    #expect(try RequestTarget(text).segments == expected)
  }

  @Test("gives the first parameter of a name, decoded, with and without a value")
  func query() throws {
    let target = try RequestTarget("/e?progress=1&x&name=a%26b+c&progress=2&y=1=2&&")
    #expect(target["progress"] == "1")
    #expect(target["x"] == "")
    #expect(target["name"] == "a&b+c")
    #expect(target["y"] == "1=2")
    #expect(target["z"] == nil)
    #expect(target.query.count == 5)
  }

  @Test(
    "refuses ambiguous targets",
    arguments: [
      "", "*", "v1", "http://a/b", "a:80", "//", "/v1/", "/v1//status", "/.", "/a/../b", "/%2e%2E",
      "/.%2e/x", "/a\\b", "/a%5cb", "/%", "/%4", "/%zz", "/a%00", "/a%0d%0a", "/%c0%ae", "/%ff",
      "/a#b", "/a?b=%", "/a?%00=1",
    ])
  func refuses(_ text: String) {
    #expect(throws: HTTPParseError.self) { try RequestTarget(text) }
  }

  @Test("a refused upgrade has a reason phrase")
  func upgrade() {
    #expect(ReasonPhrase.text(426) == "Upgrade Required")
  }

  @Test(
    "and every other part of a request that is refused has a status",
    arguments: [
      (HTTPParseError.Code.headTooLarge, 431), (.tooManyFields, 431), (.version, 505),
      (.transferEncoding, 411), (.host, 400), (.lineEnd, 400),
    ])
  func status(_ code: HTTPParseError.Code, _ expected: Int) {
    #expect(HTTPParseError(code, "").status == expected)
    #expect(!ReasonPhrase.text(expected).isEmpty)
  }
}
