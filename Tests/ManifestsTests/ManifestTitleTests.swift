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
      ("birds.zip", "birds.zip"), ("Night%20birds.json", "Night birds"), ("a%2Fb.json", "b"),
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

  @Test("A title is at most 500 scalars long")
  func long() {
    let title = ManifestTitle.title(forFileName: String(repeating: "ä", count: 5000) + ".json")
    #expect(title.unicodeScalars.count == 500)
  }
}
