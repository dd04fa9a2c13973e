import Models
import Robots
import TestSupport
import Testing

/// Which groups apply to a crawler, and how a file is read (RFC 9309 §2.1, §2.2.1).
@Suite("robots.txt: groups")
struct GroupTests {
  private func isAllowed(_ target: String, _ file: String, _ agent: String = "imgdl/0.1") throws
    -> Bool
  {
    try rules(file, for: agent).allows(target: target)
  }

  @Test("The simple example of RFC 9309 §5.1")
  func simpleExample() throws {
    let file = """
      User-Agent: *
      Disallow: *.gif$
      Disallow: /example/
      Allow: /publications/

      User-Agent: foobot
      Disallow:/
      Allow:/example/page.html
      Allow:/example/allowed.gif

      User-Agent: barbot
      User-Agent: bazbot
      Disallow: /example/page.html

      User-Agent: quxbot
      """
    for (agent, target, expected) in [
      ("imgdl", "/a.gif", false), ("imgdl", "/a.gif?x", true), ("imgdl", "/example/x", false),
      ("imgdl", "/publications/x", true), ("foobot", "/", false),
      ("foobot", "/example/page.html", true), ("foobot", "/example/allowed.gif", true),
      ("foobot", "/publications/", false), ("barbot", "/example/page.html", false),
      ("BazBot/2.1", "/example/page.html", false), ("bazbot", "/a.gif", true),
      ("quxbot", "/example/page.html", true), ("quxbot", "/a.gif", true),
    ] {
      #expect(try isAllowed(target, file, agent) == expected, "\(agent) \(target)")
    }
  }

  @Test("Groups for one crawler are merged (RFC 9309 §2.2.1)")
  func merging() throws {
    let file = """
      user-agent: ExampleBot
      disallow: /foo
      disallow: /bar

      user-agent: ExampleBot
      disallow: /baz
      """
    for target in ["/foo", "/bar", "/baz"] {
      #expect(try !isAllowed(target, file, "examplebot"))
      #expect(try isAllowed(target, file, "imgdl"))
    }
    #expect(try isAllowed("/qux", file, "ExampleBot"))
  }

  @Test(
    "A group names a crawler by its token, without regard to case and version",
    arguments: [
      ("imgdl", true), ("IMGDL", true), ("ImgDL/2.0", true), ("imgdl bot", true), ("imgdl2", true),
      ("imgdl-images", false), ("img", false), ("notimgdl", false), ("imgdl_x", false),
      ("*x", false),
      ("", false), ("2imgdl", false),
    ])
  func tokens(name: String, applies: Bool) throws {
    #expect(try isAllowed("/", "User-agent: \(name)\nDisallow: /") == !applies)
  }

  @Test("A crawler without a name obeys the groups for all")
  func namelessCrawler() throws {
    let file = "User-agent: \nUser-agent: 1\nDisallow: /\nUser-agent: *\nDisallow: /a"
    for agent in ["", "1/2", "(x)"] {
      #expect(try isAllowed("/b", file, agent))
      #expect(try !isAllowed("/a", file, agent))
    }
  }

  @Test("A group of its own replaces those for all, even without rules")
  func ownGroup() throws {
    let all = "User-agent: *\nDisallow: /\n"
    #expect(try isAllowed("/x", all + "User-agent: imgdl"))
    #expect(try isAllowed("/x", "User-agent: imgdl\nDisallow:\n" + all))
    #expect(try !isAllowed("/x", all + "User-agent: other\nDisallow:"))
  }

  @Test("Other records neither begin nor end a group")
  func otherRecords() throws {
    let file = """
      User-agent: other
      Sitemap: https://h/sitemap.xml
      Crawl-delay: 3
      User-agent: imgdl
      Unknown: x
      Disallow: /a
      Host: h
      Disallow: /b
      """
    for agent in ["imgdl", "other"] {
      #expect(try !isAllowed("/a", file, agent))
      #expect(try !isAllowed("/b", file, agent))
    }
    #expect(rules(file, for: "other").crawlDelay == 3)
    #expect(rules(file).crawlDelay == nil)
  }

  @Test("Rules before every group are ignored, and a rule ends the names of a group")
  func order() throws {
    let file = "Disallow: /\nUser-agent: a\nDisallow: /a\nUser-agent: imgdl\nDisallow: /b"
    #expect(try isAllowed("/c", file) && isAllowed("/a", file))
    #expect(try !isAllowed("/b", file))
    #expect(try isAllowed("/b", file, "a"))
  }

  @Test(
    "Lines end in CR, LF or both; spaces, comments and a byte order mark are ignored",
    arguments: [
      "User-agent: *\nDisallow: /a", "User-agent: *\rDisallow: /a\r",
      "User-agent: *\r\nDisallow: /a\r\n", "\u{feff}User-agent: *\nDisallow: /a",
      " \tuSER-aGENT\t:  *  # all\n\t DISALLOW :\t/a\t# comment",
      "#x\nUser-agent:*\n\n\n#\nDisallow:/a",
      "\u{0}\u{1}junk\nno colon\n: /\nUser-agent: *\n:\nDisallow: /a\n:::",
    ])
  func lines(file: String) throws {
    #expect(try !isAllowed("/a", file) && isAllowed("/b", file))
  }

  @Test("Only the first 500 KiB count, without the line that they truncate")
  func maximumLength() throws {
    let head = "User-agent: *\nDisallow: /a\n"
    let limit = RobotsRules.maximumBytes
    let padding = String(repeating: "#", count: limit - head.utf8.count - 12)
    // The limit falls after "Disallow: /".
    let file = head + padding + "\nDisallow: /b\nDisallow: /c\n"
    #expect(try !isAllowed("/a", file))
    #expect(try isAllowed("/b", file) && isAllowed("/c", file) && isAllowed("/d", file))
    let whole = head + String(padding.dropLast(2)) + "\nDisallow: /b\n"
    #expect(whole.utf8.count == limit)
    #expect(try !isAllowed("/b", whole))
    #expect(try isAllowed("/a", String(repeating: "x", count: limit + 1)))
  }

  @Test(
    "A delay is a bounded decimal number of seconds",
    arguments: [
      ("10", 10), ("0.5", 0.5), (".5", 0.5), ("0", 0), ("61", 60), ("99999999999999999999", 60),
      ("999999999999999999999", nil), ("-1", nil), ("1e9", nil), ("inf", nil), ("nan", nil),
      ("0x10", nil), ("1s", nil), ("", nil), (".", nil), ("1.2.3", nil), ("1_0", nil),
    ] as [(String, Double?)])
  func delays(text: String, delay: Double?) {
    #expect(rules("User-agent: *\nCrawl-delay: \(text)").crawlDelay == delay)
  }

  @Test("Any bytes are accepted as a file")
  func randomBytes() throws {
    var generator = SeededGenerator(seed: 3)
    let words = [
      "User-agent:", "Disallow:", "Allow:", "*", "/", "$", "a", "\n", "\r", "#", "%2", " ",
    ]
    for _ in 0..<3_000 {
      var file: [UInt8] = []
      for _ in 0..<Int.random(in: 0...40, using: &generator) {
        if Int.random(in: 0..<4, using: &generator) == 0 {
          file += generator.bytes(3)
        } else {
          file += Array((words.randomElement(using: &generator) ?? "").utf8)
        }
      }
      let rules = RobotsRules(parsing: file, for: ProductToken(userAgent: "a"))
      #expect(try rules.allows(target: "/robots.txt"))
      _ = try rules.allows(target: "/a/b?a")
    }
  }
}
