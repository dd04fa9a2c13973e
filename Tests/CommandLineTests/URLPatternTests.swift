import CommandLine
import TestSupport
import Testing

@Suite("Ranges and alternatives in URLs")
struct URLPatternTests {
  private static func expand(_ text: String) throws -> [String]? {
    guard let pattern = try URLPattern(text) else { return nil }
    return (0..<pattern.count).map(pattern.url)
  }

  @Test(
    "A pattern is expanded as by curl, the last part fastest",
    arguments: [
      ("h/[1-3].jpg", ["h/1.jpg", "h/2.jpg", "h/3.jpg"]),
      ("h/[08-11]", ["h/08", "h/09", "h/10", "h/11"]),
      ("h/[0000-0001]", ["h/0000", "h/0001"]),
      ("h/[0-100:50]", ["h/0", "h/50", "h/100"]),
      ("h/[0-9:4]", ["h/0", "h/4", "h/8"]),
      ("h/[a-e:2]", ["h/a", "h/c", "h/e"]),
      ("h/[X-Z]", ["h/X", "h/Y", "h/Z"]),
      ("h/{a,b,}.png", ["h/a.png", "h/b.png", "h/.png"]),
      ("{x,y}/[1-2]", ["x/1", "x/2", "y/1", "y/2"]),
      ("h/[5-5]", ["h/5"]),
      ("h/{ä,雪}", ["h/ä", "h/雪"]),
      (#"h/\[1-2\]/[1-2]"#, ["h/[1-2]/1", "h/[1-2]/2"]),
    ])
  func expansion(_ text: String, _ urls: [String]) throws {
    #expect(try Self.expand(text) == urls)
  }

  @Test(
    "A URL without a range or alternatives is none",
    arguments: [
      "", "http://h/a.jpg", "http://[::1]:80/a", "http://[fe80::1-2]/", "h/{id}", "h/[abc]",
      "h/[1-]",
      "h/[1-2-3]", "h/[1-2", "h/{a,b", "h/[a-2]", "h/[1-2:x]", "h/[1-2:3:4]", #"h/\{a,b\}"#,
      "h/[-1-2]", "h/[1111111111111111-2222222222222222]",
    ])
  func noPattern(_ text: String) throws {
    #expect(try Self.expand(text) == nil)
  }

  @Test(
    "A range that cannot be meant is refused, with its reason",
    arguments: [
      ("h/[3-1]", "ends before it begins"), ("h/[z-a]", "ends before it begins"),
      ("h/[A-z]", "ends before it begins"), ("h/{a,{b,c}}", "within braces"), ("h/[1-9:0]", "step"),
      ("h/[0-999]/[0-999]/[0-9]", "more than 1000000"),
      ("h/[0-999999999999999]/[0-999999999999999]", "more than 1000000"),
    ])
  func refusal(_ text: String, _ reason: String) throws {
    let failure = #expect(throws: URLPattern.Failure.self) { try URLPattern(text) }
    #expect(failure?.description.contains(reason) == true)
  }

  @Test("Any text is expanded, left as it is, or refused")
  func anyText() {
    var generator = SeededGenerator(seed: 9)
    let alphabet = Array("[]{}-:,\\019az/é")
    for _ in 0..<20_000 {
      let text = String((0..<9).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
      guard let pattern = try? URLPattern(text) else { continue }
      _ = (pattern.url(at: 0), pattern.url(at: pattern.count - 1))
    }
  }
}
