import Manifests
import Models
import Testing

/// `{"name": url}`, and the objects with which servers report errors.
@Suite("Maps of names")
struct NameMapTests {
  @Test(
    "An object of texts that report an error is not a list",
    arguments: [
      #"{"error": "rate limited", "code": 429}"#,
      #"{"error": "x", "error_url": "/help"}"#,
      #"{"errors": [{"code": 3}]}"#,
      #"{"message": "Not Found", "documentation_url": "https://docs.h/rest"}"#,
      #"{"message": "https://h/limits"}"#,
      #"{"type": "about:blank", "title": "Too Many Requests", "status": 429}"#,
      #"{"type": "https://h/problems/quota", "status": 403}"#,
    ])
  func errorMessage(text: String) throws {
    for format in [nil, ManifestFormat.json] {
      let reading = Reading(text, format: format)
      #expect(reading.items == [] && reading.error?.code == .shape)
      let description = try #require(reading.error?.description)
      #expect(description.hasPrefix("list: is an error message, not a list: \""), "\(description)")
    }
  }

  @Test(
    "An object that states an error beside an empty list is no list that has ended",
    arguments: [
      (#"{"items": [], "error": "quota exceeded"}"#, #""error": "quota exceeded""#),
      (#"{"error": true, "urls": [], "next": "?3"}"#, #""error": true"#),
      (
        #"{"status": 429, "title": "Too many", "items": []}"#,
        #""status": 429, "title": "Too many""#
      ),
      (#"{"resources": [], "errors": [{"code": 3, "text": "x"}]}"#, #""code": 3, "text": "x""#),
      (#"{"items": [], "message": "Wait", "code": 503}"#, #""message": "Wait", "code": 503"#),
    ])
  func errorBesideList(text: String, excerpt: String) {
    for format in [nil, ManifestFormat.json] {
      let reading = Reading(text, format: format)
      #expect(reading.entries.isEmpty && reading.error?.code == .shape)
      #expect(reading.error?.reason == "is an error message, not a list: " + excerpt)
    }
  }

  @Test(
    "An empty list without an error, and one with entries and a message, are read",
    arguments: [
      (#"{"items": [], "error": null, "errors": [], "message": "no more"}"#, 0),
      (#"{"error": "", "items": []}"#, 0), (#"{"errors": {}, "error": false, "items": []}"#, 0),
      (#"{"status": 200, "title": "Birds", "items": []}"#, 0), (#"{"error": 0, "urls": []}"#, 0),
      (#"{"items": ["http://h/a.png"], "error": "one is missing"}"#, 1),
      (#"{"items": [{"url": "http://h/a.png", "error": "x"}]}"#, 1),
    ])
  func lists(text: String, count: Int) {
    let reading = Reading(text)
    #expect(reading.error == nil && reading.entries.count == count)
  }

  @Test("A member for a list that has none is named")
  func noList() {
    let error = Reading(#"{"items": null, "next": "?3"}"#).error
    #expect(error?.reason == #"has no list: its "items" is null"#)
  }

  @Test("The message quotes the error")
  func excerpt() {
    #expect(
      Reading(#"{"data": [], "error": {"code": 503, "message": "quota"}}"#).error?.reason
        == #"is an error message, not a list: "code": 503, "message": "quota""#)
    #expect(
      Reading(#"{"error": "rate limited", "code": 429, "n": null}"#).error?.description
        == #"list: is an error message, not a list: "error": "rate limited", "code": 429"#)
    // Two hundred characters of a sentence are quoted, whether a list is beside it or not.
    let sentence = String(repeating: "quota ", count: 40)
    for list in ["", #""items": [], "#] {
      #expect(
        Reading("{\(list)\"error\": \"\(sentence)\"}").error?.reason
          == "is an error message, not a list: \"error\": \"\(sentence.prefix(200))…\"")
    }
  }

  @Test(
    "A text that is no URL makes an object none of names",
    arguments: [
      #"{"status": "fail"}"#, #"{"detail": "Not found."}"#, #"{"a": "http://h/1", "b": "ok"}"#,
      #"{"version": "1.0"}"#, #"{"a": "see /help now"}"#, #"{"a": "/b\nc"}"#, #"{"a": ""}"#,
      #"{"a": ".png"}"#, #"{"a": "archive.tarball"}"#,
    ])
  func otherTexts(text: String) throws {
    let reading = Reading(text)
    #expect(reading.items == [] && reading.error?.code == .shape)
    #expect(reading.error?.description.contains("not a URL") == true)
  }

  @Test(
    "URLs, paths and names of files are read",
    arguments: [
      (#"{"cover": "https://h/a.jpg", "back": "b.png"}"#, ["https://h/a.jpg", "http://h/l/b.png"]),
      (
        #"{"a": "/1", "b": "//i/2", "c": "x/3?w=9", "d": "e.7z#f"}"#,
        ["http://h/1", "http://i/2", "http://h/l/x/3?w=9", "http://h/l/e.7z"]
      ),
      (#"{"a": "HTTP://h/b c"}"#, ["http://h/b%20c"]),
      // Names such as these are those of images as long as there are other URLs.
      (
        #"{"message": "m.png", "error": "e.png", "status": "s.png", "title": "t.png"}"#,
        ["m", "e", "s", "t"].map { "http://h/l/\($0).png" }
      ),
      (#"{"error": null, "a": "1.png"}"#, ["http://h/l/1.png"]),
    ])
  func urls(text: String, urls: [String]) throws {
    let reading = Reading(text, base: try HTTPURL("http://h/l/"))
    #expect(reading.error == nil && reading.urls == urls)
  }

  @Test("What is no URL after the first members of a long map is a problem")
  func lateText() {
    let members = (0..<100).map { $0 == 90 ? "\"n\": \"no url\"" : "\"n\": \"http://h/\($0)\"" }
    let reading = Reading("{" + members.joined(separator: ",") + "}")
    #expect(reading.entryCount == 99)
    #expect(reading.problems.map(\.reason) == [#""n" is "no url", not a URL"#])
  }

  @Test("The content of a document has a format that distinguishes maps of names from other JSON")
  func contentFormat() {
    let map = ContentFormat(.json, isNameMap: true)
    #expect(map.text == "name-map" && ContentFormat(text: "name-map") == map)
    for format in ManifestFormat.allCases {
      let other = ContentFormat(format)
      #expect(ContentFormat(text: other.text) == other && other.admits(other))
      #expect(!map.admits(other) && !other.admits(map))
    }
    #expect(map.admits(map) && ContentFormat(text: "none") == nil)
  }
}
