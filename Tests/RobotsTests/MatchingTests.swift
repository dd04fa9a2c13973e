import Models
import TestSupport
import Testing

@testable import Robots

/// Which rule decides about a URL (RFC 9309 §2.2.2, §2.2.3, §5).
@Suite("robots.txt: matching")
struct MatchingTests {
  private func isAllowed(_ target: String, _ lines: String...) throws -> Bool {
    try rules("User-agent: *\n" + lines.joined(separator: "\n")).allows(target: target)
  }

  @Test(
    "A pattern matches the paths that begin with it, with wildcards and an end",
    arguments: [
      ("/", "/anything", true), ("/fish", "/fish", true), ("/fish", "/fish.html", true),
      ("/fish", "/fish/salmon.html", true), ("/fish", "/fishheads", true),
      ("/fish", "/fish.php?id=anything", true), ("/fish", "/Fish.asp", false),
      ("/fish", "/catfish", false), ("/fish", "/?id=fish", false), ("/fish", "/desert/fish", false),
      ("/fish*", "/fish", true), ("/fish*", "/fishheads", true), ("/fish*", "/catfish", false),
      ("/fish/", "/fish/", true), ("/fish/", "/fish/?id=anything", true),
      ("/fish/", "/fish/salmon.htm", true), ("/fish/", "/fish", false),
      ("/fish/", "/animals/fish/", false), ("/*.php", "/index.php", true),
      ("/*.php", "/folder/filename.php?parameters", true), ("/*.php", "/", false),
      ("/*.php", "/folder/any.php.file.html", true), ("/*.php", "/windows.PHP", false),
      ("/*.php$", "/filename.php", true), ("/*.php$", "/folder/filename.php", true),
      ("/*.php$", "/filename.php?parameters", false), ("/*.php$", "/filename.php/", false),
      ("/*.php$", "/filename.php5", false), ("/*.php$", "/windows.PHP", false),
      ("/fish*.php", "/fish.php", true), ("/fish*.php", "/fishheads/catfish.php?x", true),
      ("/fish*.php", "/Fish.PHP", false), ("*", "/", true), ("*.gif$", "/a/b.gif", true),
      ("/$", "/", true), ("/$", "/a", false), ("/a$b", "/a$b", true), ("/a$b", "/a", false),
      ("/**a**", "/xxa", true), ("/a*$", "/abc", true), ("/a*a$", "/a", false),
      ("/a*a$", "/aa", true), ("fish", "/fish", false), ("$", "/", false), ("", "/", false),
      ("/this/*/exactly", "/this/path/exactly", true),
      ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html", true),
      ("/path/file-with-a-%2A.html", "/path/file-with-a-x.html", false),
      ("/path/foo-%24", "/path/foo-$", true), ("/path/foo-%24", "/path/foo-", false),
    ])
  func patterns(pattern: String, target: String, matches: Bool) throws {
    #expect(try isAllowed(target, "Disallow: \(pattern)") == !matches)
  }

  @Test(
    "Path and pattern are compared in one encoding (the table of RFC 9309 §2.2.2 and more)",
    arguments: [
      ("/foo/bar?baz=quz", "/foo/bar?baz=quz", true),
      ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", true),
      ("/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", true),
      ("/foo/bar/ツ", "/foo/bar/%E3%83%84", true), ("/foo/bar/%e3%83%84", "/foo/bar/ツ", true),
      ("/foo/bar/%62%61%7A", "/foo/bar/baz", true), ("/foo/bar/baz", "/foo/bar/%62%61%7a", true),
      ("/a%2Fb", "/a/b", false), ("/a/b", "/a%2Fb", false), ("/a%2fb", "/a%2Fb", true),
      ("/a%3Fb", "/a?b", false), ("/a:b", "/a%3Ab", true), ("/a%", "/a%25", true),
      ("/a%zz", "/a%25zz", true), ("/~a", "/%7Ea", true), ("/a b", "/a%20b", true),
      ("/*/print", "/x?u=/print", true), ("/*/print", "/x?u=%2Fprint", true),
      ("/a<b>", "/a%3Cb%3E", true),
    ])
  func encodings(pattern: String, target: String, matches: Bool) throws {
    #expect(try isAllowed(target, "Disallow: \(pattern)") == !matches)
  }

  @Test("The rule with the most bytes decides, in any order, and of equals the one that allows")
  func precedence() throws {
    for (target, lines, expected) in [
      ("/page", ["Allow: /p", "Disallow: /"], true),
      ("/folder/page", ["Allow: /folder", "Disallow: /folder"], true),
      ("/folder/page", ["Disallow: /folder", "Allow: /folder"], true),
      ("/page.htm", ["Allow: /page", "Disallow: /*.htm"], false),
      ("/page.php5", ["Allow: /page", "Disallow: /*.ph"], true),
      ("/", ["Allow: /$", "Disallow: /"], true),
      ("/page.htm", ["Allow: /$", "Disallow: /"], false),
      ("/example/page/disallowed.gif", ["Disallow: *.gif$", "Allow: /example/"], true),
      ("/x/publications/a", ["Disallow: /", "Allow: /x/", "Disallow: /x/publications/"], false),
      ("/b", ["Disallow: /a"], true), ("/b", [], true), ("/a", ["Allow:", "Disallow: "], true),
    ] as [(String, [String], Bool)] {
      for lines in [lines, lines.reversed()] {
        let file = "User-agent: *\n" + lines.joined(separator: "\n")
        #expect(try rules(file).allows(target: target) == expected, "\(target) \(lines)")
      }
    }
  }

  @Test("The file itself is always allowed, and nothing else for its sake")
  func ownFile() throws {
    #expect(try isAllowed("/robots.txt", "Disallow: /"))
    #expect(try isAllowed("/robots.txt?x", "Disallow: /"))
    #expect(try !isAllowed("/robots.txt.html", "Disallow: /"))
    #expect(try !isAllowed("/a/robots.txt", "Disallow: /"))
  }

  @Test("Patterns match as a matcher with backtracking does")
  func againstBacktracking() throws {
    var generator = SeededGenerator(seed: 5)
    let alphabet = Array("aab*".utf8)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...8, using: &generator)
      var pattern = [UInt8(ascii: "/")]
      for _ in 0..<count { pattern.append(alphabet.randomElement(using: &generator) ?? 0) }
      if Bool.random(using: &generator) { pattern.append(UInt8(ascii: "$")) }
      var target = [UInt8(ascii: "/")]
      for _ in 0..<Int.random(in: 0...10, using: &generator) {
        target.append(UInt8.random(in: 0x61...0x62, using: &generator))
      }
      var searched = 0
      let compiled = try #require(PathPattern(pattern[...]))
      #expect(
        compiled.matches(target, searched: &searched)
          == Self.matches(pattern[...], target[...]),
        "\(String(decoding: pattern, as: UTF8.self)) \(String(decoding: target, as: UTF8.self))")
    }
  }

  private static func matches(_ pattern: ArraySlice<UInt8>, _ target: ArraySlice<UInt8>) -> Bool {
    guard let first = pattern.first else { return true }
    if pattern.elementsEqual([UInt8(ascii: "$")]) { return target.isEmpty }
    if first == UInt8(ascii: "*") {
      return (0...target.count).contains { matches(pattern.dropFirst(), target.dropFirst($0)) }
    }
    return target.first == first && matches(pattern.dropFirst(), target.dropFirst())
  }

  @Test("A search reads each byte of the target about once for each rule")
  func linearTime() throws {
    let target = Array(("/" + String(repeating: "a", count: 60_000)).utf8)
    for pattern in [
      String(repeating: "*a", count: 30_000) + "b",
      "/" + String(repeating: "a*", count: 30_000) + "b$",
      "*" + String(repeating: "a", count: 30_000) + "b",
      "*a*aa*aaa*aaaa*" + String(repeating: "a", count: 59_000) + "b",
    ] {
      var searched = 0
      let compiled = try #require(PathPattern(Array(pattern.utf8)[...]))
      #expect(!compiled.matches(target, searched: &searched))
      #expect(searched <= target.count + pattern.utf8.count)
    }
  }

  @Test("Rules that would take too long to compare disallow")
  func maximumWork() throws {
    let file = (0..<400).map { "Disallow: *b\($0)" }.joined(separator: "\n")
    let target = "/" + String(repeating: "a", count: 60_000)
    #expect(try !isAllowed(target, file))
    #expect(try isAllowed("/" + String(repeating: "a", count: 2_000), file))
  }
}
