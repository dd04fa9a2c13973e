import Testing

@testable import Models

@Suite("Plain URLs")
struct PlainURLTests {
  /// What a URL is made of, and what stands in the wrong place.
  private static let pieces = [
    "http", "https", "HTTP", "ftp", ":", "//", "/", "\\", "example.com", "Example.com", "127.0.0.1",
    "a_b-c", "[::1]", "user@", ":80", ":443", ":8080", ":00080", ":99999", ":1234567", ":", ".",
    "..",
    "/.", "/..", "/a.b", "/a/.hidden", "?", "?q=/.", "#", "#f", "%", "%7E", "%zz", " ", "\t",
    "\u{7f}",
    "é", "\u{301}", "\"", "<", "{", "|", "^", "`", "~", "!", "$&'()*+,;=", "0", "z", "\u{0}",
  ]

  private func general(_ text: String) -> HTTPURL? { try? HTTPURL(general: Substring(text)) }

  @Test("are what the full parser makes of them, and nothing else is plain", arguments: 0..<8)
  func same(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var plain = 0
    for _ in 0..<20_000 {
      var text =
        Bool.random(using: &random)
        ? "http://" : ["https://h", "http://h/a", ""].randomElement(using: &random)!
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        text += Self.pieces.randomElement(using: &random)!
      }
      guard let url = HTTPURL.plain(Substring(text)) else { continue }
      plain += 1
      #expect(url == general(text), "\(text)")
      #expect(url.description.utf8.elementsEqual(text.utf8), "\(text)")
    }
    #expect(plain > 1_000)
  }

  @Test("have the bytes in path, query and host that the full parser leaves alone")
  func bytes() {
    for byte in UInt8.min...UInt8.max {
      let character = String(decoding: [byte], as: UTF8.self)
      for text in ["http://h/a\(character)b", "http://h\(character)i/", "http://h/?\(character)"] {
        let isKept = general(text)?.description == text
        #expect((HTTPURL.plain(Substring(text)) != nil) == isKept, "\(text)")
      }
    }
  }

  @Test("are nearly all that lists have")
  func common() throws {
    for text in [
      "http://127.0.0.1:8088/small/000/000000.jpg", "https://example.com/a/b.c/d.jpg?x=1&y=../2",
      "https://cdn-1.example.co.uk/%7Euser/(1)/@2x/image;v=1,2.webp",
    ] {
      let url = try #require(HTTPURL.plain(Substring(text)))
      #expect(url == general(text))
      #expect(url.description == text)
      // In the middle of a text as well.
      #expect(HTTPURL.plain("<\(text)>".dropFirst().dropLast()) == url)
    }
  }
}
