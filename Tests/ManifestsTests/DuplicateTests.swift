import Manifests
import Models
import Testing

@Suite("Duplicates")
struct DuplicateTests {
  /// One picture in every spelling that a list may use for it.
  static let spellings = [
    "http://example.com/~a/b.png", "http://example.com/~a/b.png", "HTTP://EXAMPLE.com/~a/b.png",
    "http://example.com:80/~a/b.png", "http://example.com:/~a/b.png",
    "http://example.com/%7Ea/b.png", "http://example.com/%7ea/b.png",
    "http://example.com/~a/b.png#top", "http://example.com./~a/b.png",
    "http://example.com/x/../~a/./b.png", "  http://example.com/~a/b.png ",
  ]

  @Test("Every spelling stays an entry of its own; all ask for the same thing")
  func kept() {
    let json = "[" + Self.spellings.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    let lines = Self.spellings.map { "\"\($0)\"" }.joined(separator: "\n")
    let text = Self.spellings.joined(separator: "\n")
    for reading in [Reading(json), Reading(lines), Reading(text, format: .text)] {
      #expect(reading.problems == [])
      #expect(reading.entries.map(\.index) == Array(Self.spellings.indices))
      #expect(Set(reading.entries.map(\.url.equivalenceKey)) == ["http://example.com/~a/b.png"])
    }
  }

  @Test("An international name is one in its xn-- form, in any case and in letters")
  func internationalNames() {
    let reading = Reading(
      #"["http://xn--bcher-kva.example/a", "http://XN--BCHER-KVA.Example/a", "http://bücher.example/a"]"#
    )
    #expect(Set(reading.entries.map(\.url.equivalenceKey)) == ["http://xn--bcher-kva.example/a"])
    #expect(reading.entryCount == 3)
    #expect(reading.problems.isEmpty)
  }

  @Test("Titles and names that repeat are no problem")
  func names() {
    let reading = Reading(#"{"a": "http://h/1", "a": "http://h/2", "b": "http://h/1"}"#)
    #expect(reading.urls == ["http://h/1", "http://h/2", "http://h/1"])
    #expect(reading.entries.map(\.title) == ["a", "a", "b"])
  }
}
