import Models
import Testing

@Suite("International host names")
struct InternationalNameTests {
  static let names = [
    ("http://b\u{fc}cher.example/\u{fc}", "http://xn--bcher-kva.example/%C3%BC"),
    ("http://BU\u{308}CHER.example/", "http://xn--bcher-kva.example/"),
    ("http://stra\u{df}e.de/", "http://xn--strae-oqa.de/"),
    ("https://ドメイン.テスト:8443/a", "https://xn--eckwd4c7c.xn--zckzah:8443/a"),
    ("http://ｅｘａｍｐｌｅ。com/", "http://example.com/"),
    ("http://①②⑦.0.0.1/", "http://127.0.0.1/"),
  ]

  @Test("get their xn-- form, as browsers have it", arguments: names)
  func ascii(_ text: String, _ expected: String) throws {
    #expect(try HTTPURL(text).description == expected)
    #expect(try HTTPURL(expected).description == expected)
  }

  @Test(
    "that are none are refused by name",
    arguments: [
      "http://a\u{200e}b/", "http://\u{ff0f}/", "http://ab\u{ad}\u{ff20}c/", "http://\u{2028}/",
    ])
  func refused(_ text: String) {
    #expect(throws: HTTPURLError.self) { try HTTPURL(text) }
  }
}
