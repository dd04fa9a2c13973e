import Robots
import Testing

/// What the answer to a request for the file means, and for how long (RFC 9309 §2.3.1, §2.4).
@Suite("robots.txt: access")
struct EntryTests {
  @Test("A status without rules allows everything or nothing")
  func statuses() {
    for status in [200, 203, 204, 206, 299] { #expect(RobotsAnswer(status: status) == nil) }
    for status in [300, 304, 400, 401, 403, 404, 410, 451, 499] {
      #expect(RobotsAnswer(status: status) == .unavailable)
    }
    for status in [408, 425, 429, 500, 502, 503, 599, 600, 999] {
      #expect(RobotsAnswer(status: status) == .unreachable("HTTP \(status)"))
    }
  }

  @Test(
    "Rules are used as long as the response is fresh, from five minutes to a day",
    arguments: [(nil, 86_400), (3_600, 3_600), (0, 300), (1e9, 86_400)] as [(Double?, Double)])
  func lifetimes(lifetime: Double?, expected: Double) {
    for answer in [.rules(rules("User-agent: *\nDisallow: /")), .unavailable] as [RobotsAnswer] {
      let entry = RobotsEntry(answer, at: 1_000, lifetime: lifetime, replacing: nil)
      #expect(entry.answer == answer)
      #expect(entry.isUsable(at: 1_000) && entry.isUsable(at: 999 + expected))
      #expect(!entry.isUsable(at: 1_000 + expected))
    }
  }

  @Test(
    "A file that becomes unreachable leaves earlier rules in force, and is requested again soon")
  func unreachable() {
    let known = RobotsAnswer.rules(rules("User-agent: *\nDisallow: /"))
    let gone = RobotsAnswer.unreachable("HTTP 503")
    for (earlier, expected) in [
      (nil, gone), (known, known), (.unavailable, gone), (gone, gone),
    ] as [(RobotsAnswer?, RobotsAnswer)] {
      let old = earlier.map { RobotsEntry($0, at: 0, lifetime: nil, replacing: nil) }
      let entry = RobotsEntry(gone, at: 100_000, lifetime: 9_999, replacing: old)
      #expect(entry.answer == expected)
      #expect(entry.expires == 100_300)
    }
  }
}
