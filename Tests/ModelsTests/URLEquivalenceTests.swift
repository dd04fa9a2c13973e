import Models
import Testing

@Suite("Equivalence of URLs")
struct URLEquivalenceTests {
  @Test(
    "Spellings of one request share a key",
    arguments: [
      (["http://example.com", "http://example.com/", "http://example.com/#f"], "/"),
      (["HTTP://example.com/A", "http://EXAMPLE.com/A", "http://Example.Com:80/A"], "/A"),
      (["http://example.com:/x", "http://example.com:00080/x", "http://example.com./x"], "/x"),
      (["http://example.com/~a", "http://example.com/%7Ea", "http://example.com/%7ea"], "/~a"),
      (["http://example.com/%41%7a%39%2D%5F%2E%7E", "http://example.com/Az9-_.~"], "/Az9-_.~"),
      (["http://example.com/a%2fb%c3%bc", "http://example.com/a%2Fb%C3%BC"], "/a%2Fb%C3%BC"),
      (["http://example.com/é b", "http://example.com/%c3%a9%20b"], "/%C3%A9%20b"),
      (["http://example.com/{x}", "http://example.com/%7bx%7D"], "/%7Bx%7D"),
      (["http://example.com/a/./b/../c", "http://example.com/%61/c"], "/a/c"),
      (["http://example.com?q=%7e#f", "http://example.com/?q=~"], "/?q=~"),
      (["http://example.com/x?%2e%2e/%2E", "http://example.com/x?../."], "/x?../."),
      (["http://example.com/a/.%2e/b", "http://example.com/a/%2e./b"], "/a/%2E%2E/b"),
      (["http://example.com/a/%2e", "http://example.com/a/%2E"], "/a/%2E"),
      (["http://example.com/%2e%2e?x", "http://example.com/%2E.?x"], "/%2E%2E?x"),
      (["http://example.com/%2e%2e%2ea/%2Eb", "http://example.com/...a/.b"], "/...a/.b"),
    ])
  func same(texts: [String], target: String) throws {
    for text in texts {
      #expect(try HTTPURL(text).equivalenceKey == "http://example.com" + target, "\(text)")
    }
  }

  @Test(
    "What may be another request has another key",
    arguments: [
      ("http://h/a", "https://h/a"), ("http://h/a", "http://h:81/a"), ("http://h/a", "http://h/A"),
      ("http://h/a", "http://h/a/"), ("http://h/a", "http://h/a?"), ("http://h/a", "http://h//a"),
      ("http://h/a?b", "http://h/a?B"), ("http://h/a", "http://g/a"),
      ("https://h/a", "https://h:80/a"), ("http://h/a%2Fb", "http://h/a/b"),
      ("http://h/a%3Fb", "http://h/a?b"), ("http://h/a%23b", "http://h/a"),
      ("http://h/%2541", "http://h/A"), ("http://h/%2541", "http://h/%41"),
      ("http://h/a%2Bb", "http://h/a+b"), ("http://h/a%20b", "http://h/a+b"),
      ("http://h/series/%2E%2E/slice/1", "http://h/slice/1"), ("http://h/a/%2E", "http://h/a/"),
      ("http://h/%%41B", "http://h/%AB"), ("http://h/%zz", "http://h/%25zz"),
      ("http://h/%4", "http://h/%254"), ("http://h/x?%%37E", "http://h/x?%7E"),
      ("http://www.h/", "http://h/"), ("http://h../", "http://h/"), ("http://./", "http://h/"),
    ])
  func different(first: String, second: String) throws {
    #expect(try HTTPURL(first).equivalenceKey != HTTPURL(second).equivalenceKey)
  }

  @Test(
    "What is in that form stays as it is",
    arguments: [
      "http://example.com/", "https://example.com:80/a%20b?c=%2F", "http://[::1]:8080/x",
      "http://[::1]/", "http://./", "http://h../", "http://h/%zz%41", "http://h/%", "http://h/a%4",
      "http://h/%%41", "http://xn--bcher-kva.example/", "http://127.0.0.1:81/?", "http://h//",
    ])
  func unchanged(text: String) throws {
    let url = try HTTPURL(text)
    #expect(url.equivalenceKey == text)
    #expect(url.equivalenceKey == url.description)
  }

  @Test("An international name has its xn-- form only, however it is written")
  func internationalNames() throws {
    #expect(try HTTPURL("http://bücher.example/") == HTTPURL("http://xn--bcher-kva.example/"))
    #expect(throws: HTTPURLError.self) { try HTTPURL("http://b%C3%BCcher.example/") }
    let keys = try ["http://xn--bcher-kva.example/", "http://XN--Bcher-KVA.Example./"].map {
      try HTTPURL($0).equivalenceKey
    }
    #expect(keys[0] == keys[1])
  }

  @Test("A key is a URL, and its own key", arguments: 0..<20)
  func idempotent(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let pieces = [
      "%", "%2", "%2e", "%2E", "%41", "%7e", "%2f", "%C3", "%25", "4", "1", ".", "..", "/", "?",
      "a", "é", "{", "#",
    ]
    for _ in 0..<300 {
      let host = ["h", "h.", "h..", ".", "[::1]", "H.e"].randomElement(using: &random) ?? "h"
      let count = Int.random(in: 0...10, using: &random)
      let target = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let key = try HTTPURL("http://\(host)/\(target)").equivalenceKey
      #expect(try HTTPURL(key).equivalenceKey == key, "\(target)")
    }
  }

  /// Rewrites a URL by the rules under which it stays the same, and by those under which it does
  /// not.
  @Test("However a URL is spelled, its key is the same", arguments: 0..<20)
  func respelled(seed: Int) throws {
    var spelling = Spelling(seed: UInt64(seed))
    for _ in 0..<200 {
      let plain = spelling.plainURL()
      let key = try HTTPURL(plain).equivalenceKey
      #expect(key == plain)
      let other = spelling.same(as: plain)
      #expect(try HTTPURL(other).equivalenceKey == key, "\(other)")
      // The spelling of one subscriber names the files of all.
      #expect(try HTTPURL(other).lastPathComponent == HTTPURL(plain).lastPathComponent, "\(other)")
      let further = spelling.different(from: plain)
      #expect(try HTTPURL(further).equivalenceKey != key, "\(further)")
    }
  }
}

private struct Spelling {
  private var random: SeededGenerator
  private let pathBytes = Array("abzAZ09-_~!$&'()*+,;=:@".utf8)

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// In the form that is the key.
  mutating func plainURL() -> String {
    let host = ["example.com", "a.b-c.example", "127.0.0.1"].randomElement(using: &random) ?? "h"
    let port = Bool.random(using: &random) ? "" : ":8080"
    let path = (0..<Int.random(in: 1...4, using: &random)).map { _ in "/" + text() }.joined()
    return "https://\(host)\(port)\(path)" + (Bool.random(using: &random) ? "?" + text() : "")
  }

  private mutating func text() -> String {
    (0..<Int.random(in: 1...6, using: &random)).map { _ in
      if Int.random(in: 0..<5, using: &random) == 0 {
        return ["%2F", "%20", "%C3%BC", "%25", "%00"].randomElement(using: &random) ?? ""
      }
      let byte = pathBytes.randomElement(using: &random) ?? 0x61
      return String(Unicode.Scalar(byte))
    }.joined()
  }

  mutating func same(as url: String) -> String {
    let parts = url.dropFirst("https://".count).split(
      separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    var authority = parts[0].split(separator: ":").map(String.init)
    authority[0] += Bool.random(using: &random) ? "." : ""
    if authority.count == 1, Bool.random(using: &random) { authority.append("443") }
    let scheme = Bool.random(using: &random) ? "HTTPS://" : "https://"
    let host = authority.joined(separator: ":")
    return scheme + (Bool.random(using: &random) ? host.uppercased() : host)
      + (Bool.random(using: &random) ? "/./" : "/x/../") + encoded(parts[1])
      + (Bool.random(using: &random) ? "#\(text())" : "")
  }

  private mutating func encoded(_ target: Substring) -> String {
    var output = ""
    var isInEscape = 0
    for byte in target.utf8 {
      let character = String(Unicode.Scalar(byte))
      let isWord = Self.unreserved.contains(byte)
      if byte == UInt8(ascii: "%") { isInEscape = 3 }
      if isInEscape > 0 {
        output += Bool.random(using: &random) ? character.lowercased() : character
        isInEscape -= 1
      } else if isWord, Bool.random(using: &random) {
        let digits = String(byte, radix: 16, uppercase: Bool.random(using: &random))
        output += "%" + digits
      } else {
        output += character
      }
    }
    return output
  }

  private static let unreserved = Array(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)

  mutating func different(from url: String) -> String {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: "http" + url.dropFirst(5)
    case 1: url + "/"
    case 2: url.contains("?") ? url + "&" : url + "?"
    case 3: url + "%2f"
    default: url + text()
    }
  }
}
