import Manifests
import Models
import Testing

@Suite("Titles of lists")
struct ManifestTitleTests {
  @Test(
    "A title is the file's name without folder and ending",
    arguments: [
      ("birds.json", "birds"), ("lists/of/birds.JSON", "birds"), ("a\\b\\birds.jsonl", "birds"),
      ("birds.txt", "birds"), ("birds.v2.ndjson", "birds.v2"), ("birds", "birds"),
      ("birds.zip", "birds.zip"), ("birds.json.gz", "birds"), ("birds.csv.ZST", "birds"),
      ("birds.tar.gz", "birds.tar.gz"), ("Night%20birds.json", "Night birds"), ("a%2Fb.json", "b"),
      ("100%.json", "100%"), (".json", ".json"), ("dir/", "dir"), ("", "untitled"),
      ("/", "/"), ("\u{1b}[31m\u{202e}evil\u{7}.json", "[31mevil"), ("  a \n b .json", "a b"),
      ("\u{202e}.json", ".json"), ("\n", "untitled"), ("vögel 🐦.json", "vögel 🐦"),
    ])
  func names(name: String, title: String) {
    #expect(ManifestTitle.title(forFileName: name) == title)
  }

  @Test("A URL's title is its last segment, else its host")
  func urls() throws {
    #expect(ManifestTitle.title(for: try HTTPURL("http://h/x/birds.json?page=2")) == "birds")
    #expect(ManifestTitle.title(for: try HTTPURL("http://h/100%2525.json")) == "100%25")
    #expect(ManifestTitle.title(forFileName: "https://h/a%20b.json?page=2#x") == "a b")
    #expect(ManifestTitle.title(for: try HTTPURL("http://example.org/")) == "example.org")
  }

  @Test("A title is at most 500 scalars long, and a longer one ends with an ellipsis")
  func long() {
    let name = { (count: Int) in String(repeating: "ä", count: count) }
    let title = ManifestTitle.title(forFileName: name(5000) + ".json")
    #expect(title == name(499) + "…")
    #expect(ManifestTitle.title(forFileName: name(500) + ".json") == name(500))
    #expect(ManifestTitle.title(forFileName: name(501) + ".json") == name(499) + "…")
    #expect(ManifestTitle.title(forFileName: name(500) + " \n.json") == name(500))
    let ascii = String(repeating: "abcd ", count: 200)
    #expect(ManifestTitle.title(forFileName: ascii) == String(ascii.prefix(499)) + "…")
  }

  @Test(
    "A long title is cut between two characters",
    arguments: ["👩‍👩‍👧‍👦", "e\u{301}", "🇦🇹", "a\u{300}\u{301}\u{302}", "각"])
  func characters(_ character: String) {
    for prefix in ["", "x", "xy", "xyz"] {
      let title = ManifestTitle.title(
        forFileName: prefix + String(repeating: character, count: 600))
      let length = title.unicodeScalars.count
      #expect((500 - character.unicodeScalars.count...500).contains(length))
      let characters = title.dropFirst(prefix.count).dropLast()
      #expect(title.last == "…" && characters.allSatisfy { $0 == character.first }, "\(title)")
    }
    let marks = "a" + String(repeating: "\u{301}", count: 5000)
    #expect(ManifestTitle.title(forFileName: marks).unicodeScalars.count == 500)
  }
}
