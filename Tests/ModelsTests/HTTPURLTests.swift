import Models
import Testing

@Suite("URLs")
struct HTTPURLTests {
  @Test(
    "A URL is read into its canonical form",
    arguments: [
      ("http://example.com", "http://example.com/"),
      ("HTTP://EXAMPLE.com:80/A", "http://example.com/A"),
      ("https://example.com:443/", "https://example.com/"),
      ("https://example.com:80/", "https://example.com:80/"),
      ("http://example.com:/x", "http://example.com/x"),
      ("http://example.com:00080/", "http://example.com/"),
      ("http://example.com?q=1", "http://example.com/?q=1"),
      ("http://example.com#f", "http://example.com/"),
      ("http://example.com/a#b?c", "http://example.com/a"),
      ("  http://example.com/a  ", "http://example.com/a"),
      ("http://[::1]:8080/x", "http://[::1]:8080/x"),
      ("http://[2001:DB8::1]/", "http://[2001:db8::1]/"),
      ("http://[::ffff:127.0.0.1]", "http://[::ffff:127.0.0.1]/"),
      ("http://a_b.example/", "http://a_b.example/"),
      ("http://example.com/a b", "http://example.com/a%20b"),
      ("http://example.com/ü?q=é", "http://example.com/%C3%BC?q=%C3%A9"),
      ("http://example.com/%7Ea%zz%", "http://example.com/%7Ea%zz%"),
      ("http://example.com/{a}|\"<b>^`", "http://example.com/%7Ba%7D%7C%22%3Cb%3E%5E%60"),
      ("http://example.com/a/./b/../c", "http://example.com/a/c"),
      ("http://example.com/../../a", "http://example.com/a"),
      ("http://example.com/a/..", "http://example.com/"),
      ("http://example.com/a/.", "http://example.com/a/"),
      ("http://example.com/a.b/..c/d..", "http://example.com/a.b/..c/d.."),
      ("http://example.com/?a/../b", "http://example.com/?a/../b"),
      ("http://example.com//a//b", "http://example.com//a//b"),
      ("http://example.com/a:b@c", "http://example.com/a:b@c"),
      ("http://example.com/\u{301}", "http://example.com/%CC%81"),
    ])
  func canonical(text: String, expected: String) throws {
    let url = try HTTPURL(text)
    #expect(url.description == expected)
    #expect(try HTTPURL(url.description) == url)
    #expect(url.target.utf8.first == UInt8(ascii: "/"))
    #expect(url.target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
  }

  @Test(
    "A text that is not an http URL is refused with the reason",
    arguments: [
      ("", "empty"), ("   ", "empty"), ("example.com/a", "not an http or https URL"),
      ("/a/b", "not an http or https URL"), ("://x", "not an http or https URL"),
      ("ftp://example.com/", "scheme \"ftp\" is not http or https"),
      ("javascript:alert(1)", "scheme \"javascript\" is not http or https"),
      ("data:image/png;base64,xx", "scheme \"data\" is not http or https"),
      ("file:///etc/passwd", "scheme \"file\" is not http or https"),
      ("http:example.com", "no \"//\" after the scheme"),
      ("http:/example.com", "no \"//\" after the scheme"),
      ("http:\\\\example.com", "no \"//\" after the scheme"),
      ("http:/\u{301}/example.com", "no \"//\" after the scheme"),
      ("http://", "no host"), ("http:///path", "no host"), ("http://:80/", "no host"),
      ("http://user@example.com/", "contains a user name; credentials in URLs are not accepted"),
      ("http://u:p@example.com/", "contains a user name; credentials in URLs are not accepted"),
      ("http://example.com:0/", "the port is not between 1 and 65535"),
      ("http://example.com:65536/", "the port is not between 1 and 65535"),
      ("http://example.com:+80/", "the port is not a number"),
      ("http://example.com:8a/", "the port is not a number"),
      ("http://example.com:\u{301}80/", "the port is not a number"),
      ("http://[::1/", "IPv6 address without \"]\""),
      ("http://[::1]x/", "text between \"]\" and the port"),
      ("http://[x]/", "\"[x]\" is not an IPv6 address"),
      ("http://[fe80::1%25eth0]/", "\"[fe80::1%25eth0]\" is not an IPv6 address"),
      ("http://a\nb/", "contains a control character"),
      ("http://a/b\r\nHost: c", "contains a control character"),
      ("http://a/b\u{0}", "contains a control character"),
      ("http://a/b\u{7f}", "contains a control character"),
      ("http://a/b\\c", "contains a backslash"),
    ])
  func refused(text: String, reason: String) {
    let error = #expect(throws: HTTPURLError.self) { try HTTPURL(text) }
    #expect(error?.description == reason)
  }

  @Test(
    "A host name takes no character that it cannot have",
    arguments: [
      "a b", "a%20b", "a\\b", "a,b", "a;b", "a'b", "(a)",
    ])
  func refusedHost(host: String) {
    let error = #expect(throws: HTTPURLError.self) { try HTTPURL("http://\(host)/") }
    #expect(error?.description.hasPrefix("host \"\(host)\" has characters") == true)
  }

  @Test("The longest URL is taken, a longer one is not")
  func length() throws {
    let longest = "http://a/" + String(repeating: "x", count: HTTPURL.maximumLength - 9)
    #expect(try HTTPURL(longest).target.utf8.count == HTTPURL.maximumLength - 8)
    #expect(throws: HTTPURLError.self) { try HTTPURL(longest + "x") }
  }

  @Test("What encoding and resolving make of a URL is no longer than a URL may be")
  func lengthened() throws {
    let half = String(repeating: "x", count: HTTPURL.maximumLength / 2)
    #expect(throws: HTTPURLError.self) {
      try HTTPURL("http://a/" + String(repeating: " ", count: 30_000) + "x")
    }
    let base = try HTTPURL("http://a/\(half)/")
    #expect(throws: HTTPURLError.self) { try base.resolving(half) }
    #expect(throws: HTTPURLError.self) { try base.resolving("?" + half) }
    #expect(throws: HTTPURLError.self) { try base.resolving("/" + half + half) }
    let whole = try base.resolving(String(half.dropLast(20)))
    #expect(try HTTPURL(whole.description) == whole)
  }

  @Test("The parts are there")
  func parts() throws {
    let url = try HTTPURL("https://[::1]:8443/a%20b/c%2Fd.jpg?e/f.png")
    #expect(url.scheme == .https)
    #expect(url.host == "::1")
    #expect(url.port == 8_443)
    #expect(url.origin.authority == "[::1]:8443")
    #expect(url.origin.description == "https://[::1]:8443")
    #expect(url.path == "/a%20b/c%2Fd.jpg")
    #expect(url.target == "/a%20b/c%2Fd.jpg?e/f.png")
    #expect(url.lastPathComponent == "c/d.jpg")
    #expect(try HTTPURL("http://a/b/").lastPathComponent == "")
    #expect(try HTTPURL("http://a").lastPathComponent == "")
  }

  @Test("Origins are the same when scheme, host and port are")
  func origins() throws {
    let origin = try HTTPURL("http://a.example/x").origin
    #expect(try HTTPURL("HTTP://A.example:80/y").origin == origin)
    for other in ["https://a.example/", "http://a.example:81/", "http://b.example/"] {
      #expect(try HTTPURL(other).origin != origin)
    }
  }

  /// RFC 3986 §5.4.1 and §5.4.2, without what names another scheme; fragments are dropped and an
  /// empty path is `/`.
  @Test(
    "References resolve as in RFC 3986",
    arguments: [
      ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
      ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
      ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
      ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
      ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
      ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
      ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
      ("../../g", "http://a/g"),
      ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
      ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
      ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
      ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
      ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
      ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
      ("g#s/./x", "http://a/b/c/g"), ("g#s/../x", "http://a/b/c/g"),
      // Beyond the RFC: what real pages and headers contain.
      ("https://h:8443/x", "https://h:8443/x"), ("//h:81", "http://h:81/"),
      ("  g \t", "http://a/b/c/g"), ("1:2", "http://a/b/c/1:2"), ("g h", "http://a/b/c/g%20h"),
      ("?", "http://a/b/c/d;p?"), ("/é", "http://a/%C3%A9"), ("a/b:c", "http://a/b/c/a/b:c"),
    ])
  func resolving(reference: String, expected: String) throws {
    let base = try HTTPURL("http://a/b/c/d;p?q")
    #expect(try base.resolving(reference).description == expected)
  }

  @Test(
    "References that lead away from http are refused",
    arguments: [
      "g:h", "javascript:x", "file:///x", "http:g", "//", "///x", "//u@h/", "a\nb", "\\\\h\\x",
      "/a\\b",
    ])
  func refusedReference(reference: String) throws {
    let base = try HTTPURL("http://a/b/c/d;p?q")
    #expect(throws: HTTPURLError.self) { try base.resolving(reference) }
  }

  @Test("No text breaks the parser", arguments: 1...10 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let base = try HTTPURL("https://example.com/a/b?c")
    let pieces = [
      "http", "https", ":", "//", "/", "[", "]", "::1", "@", "..", ".", "?", "#", "%", "%2", "%41",
      "a", "é", "\u{301}", " ", "\t", "\\", "80", "99999", "\u{0}", "-", ";", "=", "&",
    ]
    for _ in 0..<500 {
      let count = Int.random(in: 0...12, using: &generator)
      let text = (0..<count).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      }.joined()
      for url in [try? HTTPURL(text), try? base.resolving(text)] {
        guard let url else { continue }
        #expect(try HTTPURL(url.description) == url, "\(text.debugDescription)")
        #expect(url.target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
        #expect(!url.host.isEmpty && (1...65_535).contains(url.port))
      }
    }
  }
}

@Suite("Percent-encoding")
struct PercentEncodingTests {
  @Test(
    "A segment is opaque: it is preserved unchanged",
    arguments: [
      "", ".", "..", "a/b", "a%2Fb", "10", "é ü", "\u{0}\n", "a?b#c", "~-._", "+",
    ])
  func segment(text: String) {
    let encoded = PercentEncoding.encodeSegment(text)
    #expect(PercentEncoding.decode(encoded) == text)
    #expect(encoded != "." && encoded != "..")
    #expect(encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"/?#".utf8.contains($0) })
  }

  @Test(
    "Decoding preserves what is not an escape and repairs invalid UTF-8",
    arguments: [
      ("%41", "A"), ("%4", "%4"), ("%", "%"), ("%zz", "%zz"), ("%%41", "%A"), ("a%20b", "a b"),
      ("%c3%a9", "é"), ("%ff", "\u{fffd}"), ("%00", "\u{0}"), ("+", "+"),
    ])
  func decode(text: String, expected: String) {
    #expect(PercentEncoding.decode(text) == expected)
  }
}
