import Manifests
import Models
import Testing

/// Lists of every form with good and bad entries.
enum Sample {
  static let texts: [String] = [
    #"["http://h/1", {"url": "http://h/é€𝄞", "title": "T\u00e9\ud83d\ude00"}, 5, [["x"]], "a\n"]"#,
    #"{"a": "http://h/1", "b": {"c": [1, 2]}, "d": "http://h/2", "e": "//h/3"}"#,
    #"{"next": "p2", "items": ["http://h/1", null, {"url": "x", "headers": {"A": "b"}}], "z": {}}"#,
    #"{"id": "s\u0020t", "slices": ["10", "2", 3, "ü"], "more": [{}]}"#,
    "{\"url\": \"http://h/1\"}\r\n\r\n\"http://h/2\"\n{\"url\": 5}\n{bad\n[\"x\"]\n\"end\"",
    "\u{feff}# c\n http://h/1 \tTitle é \n\nhttp://h/2\r\nnot a url\nhttp://h/3",
    "{\"members\": 1, \(Sample.members), \"url\": \"http://h/x\"}",
    "[\(Sample.entries)]",
    "\u{feff}id,url,title\r\n1,http://h/1,\"a, \"\"b\"\"\r\né\"\r\n\r\n2,\"http://h/2\nx,\"y\"z\r3,http://h/3,é\r",
    "caption\turl\n\"a\thttp://h/1\nb\"\thttp://h/2\n\"c\"\" \"\thttp://h/3\n\"d\"x\thttp://h/4\n\"e",
    "http://h/1\thttp://m/1\r\n out=../é\n dir=a/b\n header=A: b\n#c\nhttp://h/2\n x\n\n dir=c",
    "[2, {\"title\": \"é\"}]\n[3, \"http://h/1\", {\"filename\": \"x\"}]\n[3, \"h\n[6, \"http://h/2\", {}]",
    "[[2, {\"title\": \"é\"}], [3, \"http://h/1\", {\"_http_headers\": {\"A\": \"b\"}}], 5, [-1, {}]]",
  ]

  static let members = (0..<80).map { "\"n\($0)\": \"http://h/\($0)\"" }.joined(separator: ", ")
  static let entries = (0..<80).map { "\"http://h/\($0)/\\u00e9\"" }.joined(separator: ",\n")
}

@Suite("Any bytes, any chunks")
struct RobustnessTests {
  let base: HTTPURL

  init() throws { base = try HTTPURL("http://h/series") }

  @Test(
    "However a list is cut, it gives the same items and the same error", arguments: Sample.texts)
  func chunks(text: String) {
    let bytes = Array(text.utf8)
    let whole = Reading(bytes, base: base)
    #expect(!whole.items.isEmpty)
    #expect(Reading(bytes, base: base, chunks: Array(repeating: 1, count: bytes.count)) == whole)
    for cut in 0...bytes.count {
      #expect(Reading(bytes, base: base, chunks: [cut]) == whole, "cut at \(cut)")
    }
    var generator = SeededGenerator(seed: UInt64(bytes.count))
    for _ in 0..<100 {
      let lengths = (0..<bytes.count).map { _ in Int.random(in: 0...40, using: &generator) }
      #expect(Reading(bytes, base: base, chunks: lengths) == whole)
    }
  }

  @Test("Damaged lists never trap, and stay the same however they are cut")
  func mutations() {
    var generator = SeededGenerator(seed: 42)
    let limits = ManifestLimits(depth: 8, textLength: 200, pendingSlices: 3)
    for round in 0..<6000 {
      let text = Sample.texts[round % Sample.texts.count]
      let bytes = Self.damaged(Array(text.utf8), &generator)
      let format = ([nil] + ManifestFormat.allCases).randomElement(using: &generator) ?? nil
      let whole = Reading(bytes, format: format, base: base, limits: limits)
      let lengths = (0..<bytes.count).map { _ in Int.random(in: 0...9, using: &generator) }
      let cut = Reading(bytes, format: format, base: base, limits: limits, chunks: lengths)
      #expect(cut == whole, "round \(round)")
      #expect(whole.entryCount == whole.entries.count)
      #expect(whole.problemCount == whole.problems.count { $0.index != nil })
      let indices = whole.items.compactMap(Self.index)
      #expect(indices == Array(0..<indices.count))
    }
  }

  private static func index(_ item: ManifestItem) -> Int? {
    switch item {
    case .entry(let entry): entry.index
    case .problem(let problem): problem.index
    case .nextPage, .series, .title, .record, .document, .referring: nil
    }
  }

  private static func damaged(
    _ bytes: [UInt8], _ generator: inout SeededGenerator
  ) -> [UInt8] {
    let tokens = [
      "[", "]", "{", "}", "\"", "\\", ",", ":", "\\u", "\\ud800", "\n", "\0", "1e", "\t",
      "\r", "=", ";",
    ]
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      let place = Int.random(in: 0...bytes.count, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0 where place < bytes.count:
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 1 where place < bytes.count:
        bytes.removeSubrange(place..<min(bytes.count, place + 5))
      case 2:
        bytes.insert(contentsOf: (tokens.randomElement(using: &generator) ?? "").utf8, at: place)
      case 3:
        bytes.insert(contentsOf: bytes.suffix(bytes.count - place).prefix(20), at: place)
      default:
        bytes.removeSubrange(place...)
      }
    }
    return bytes
  }
}
