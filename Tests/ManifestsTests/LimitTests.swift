import Manifests
import Models
import Testing

@Suite("Limits of a list")
struct LimitTests {
  /// Three entries in every form, the second of which is bad.
  static let forms = [
    #"["http://h/1", 5, "http://h/3"]"#,
    #"{"a": "http://h/1", "b": 5, "c": "http://h/3"}"#,
    #"{"items": ["http://h/1", {"url": 5}, {"url": "http://h/3"}], "next": "p2"}"#,
    #"{"id": "s", "slices": ["1", 5, "3"]}"#,
    #"{"slices": ["1", 5, "3"], "id": "s"}"#,
    "\"http://h/1\"\n5\n\"http://h/3\"\n",
    "http://h/1\nftp://h/\nhttp://h/3\n",
    "http://h/1\nftp://h/\nhttp://h/3",
  ]

  @Test("As many entries as are allowed are taken, and the next one is refused", arguments: forms)
  func entries(text: String) throws {
    let base = try HTTPURL("http://h/series")
    let all = Reading(text, base: base)
    #expect(all.error == nil && all.entryCount == 2 && all.problemCount == 1)
    #expect(Reading(text, base: base, limits: ManifestLimits(entries: 3)) == all)
    for limit in 0...2 {
      let limits = ManifestLimits(entries: limit)
      let reading = Reading(text, base: base, limits: limits)
      #expect(reading.error?.code == .tooMany)
      #expect(reading.error?.isLimit == true)
      let entries = limit == 1 ? "entry" : "entries"
      #expect(reading.error?.reason == "more than \(limit) \(entries) (limits.manifestEntries)")
      #expect(reading.entryCount + reading.problemCount == limit)
      #expect(reading.entries == Array(all.entries.prefix((limit + 1) / 2)))
      for cut in 0...text.utf8.count {
        #expect(Reading(Array(text.utf8), base: base, limits: limits, chunks: [cut]) == reading)
      }
    }
  }

  @Test("A list may have as many bytes as the limit, and its entries within it are kept")
  func bytes() {
    let text = #"["http://h/1", "http://h/2", "http://h/3"]"#
    let all = Reading(text)
    for limit in 0..<text.utf8.count {
      let limits = ManifestLimits(bytes: limit)
      let reading = Reading(text, limits: limits)
      #expect(reading.error?.code == .tooLarge)
      #expect(
        reading.error?.description == "list: larger than \(limit) bytes (limits.manifestBytes)")
      #expect(all.urls.starts(with: reading.urls))
      let bytes = Array(text.utf8)
      #expect(Reading(bytes, limits: limits, chunks: Array(repeating: 1, count: 99)) == reading)
    }
    #expect(Reading(text, limits: ManifestLimits(bytes: text.utf8.count)) == all)
    #expect(Reading(text, limits: ManifestLimits(bytes: -1)).error?.code == .tooLarge)
  }

  @Test("A long list keeps the entries within the limit")
  func manyBytes() {
    let text = "[" + (0..<1_000).map { "\"http://h/\($0)\"" }.joined(separator: ",") + "]"
    let reading = Reading(text, limits: ManifestLimits(bytes: 10_000))
    #expect(reading.error?.code == .tooLarge)
    #expect((600..<700).contains(reading.entryCount))
  }

  @Test("Nesting has a limit of its own, which names its setting")
  func depth() {
    let limits = ManifestLimits(depth: 3)
    #expect(
      Reading(#"["http://h/1", {"url": "http://h/2", "x": [1]}]"#, limits: limits).error == nil)
    let deep = Reading(#"["http://h/1", {"url": "http://h/2", "x": [[]]}]"#, limits: limits)
    #expect(deep.urls == ["http://h/1"])
    #expect(deep.error?.isLimit == true)
    #expect(
      deep.error?.description == "list, line 1, column 44: "
        + "more than 3 arrays and objects inside each other (limits.manifestDepth)")
    let lines = Reading("\"http://h/1\"\n[[[[]]]]\n\"http://h/2\"\n", limits: limits)
    #expect(lines.urls == ["http://h/1", "http://h/2"])
    #expect(lines.problems.first?.reason.contains("limits.manifestDepth") == true)
  }

  @Test("A text has a limit of its own, which names its setting")
  func textLength() {
    let limits = ManifestLimits(textLength: 20)
    let long = "http://h/" + String(repeating: "a", count: 12)
    let reading = Reading("[\"http://h/1\", \"\(long)\"]", limits: limits)
    #expect(reading.urls == ["http://h/1"])
    #expect(reading.error?.isLimit == true)
    #expect(
      reading.error?.reason == "a text of more than 20 bytes (limits.manifestTextBytes)")
    let text = Reading("http://h/1\n\(long)\nhttp://h/2", limits: limits)
    #expect(text.urls == ["http://h/1", "http://h/2"])
    #expect(
      text.problems.map(\.reason) == ["is longer than 20 bytes (limits.manifestTextBytes)"])
  }

  @Test("The settings are what people can change")
  func settings() {
    var settings = Settings().limits
    settings.manifestBytes = 1
    settings.manifestEntries = 2
    settings.manifestDepth = 3
    settings.manifestTextBytes = 4
    #expect(
      ManifestLimits(settings) == ManifestLimits(bytes: 1, entries: 2, depth: 3, textLength: 4))
    let names = ["Bytes", "Entries", "Depth", "TextBytes"].map { "limits.manifest" + $0 }
    #expect(names.allSatisfy { name in SettingsSchema.keys.contains { $0.name == name } })
  }

  @Test("A grammar error is not a limit")
  func others() {
    for text in ["[x", "[", "<html>", "\"x\""] { #expect(Reading(text).error?.isLimit == false) }
  }
}
