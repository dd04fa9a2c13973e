import Manifests
import Models
import Testing

@Suite("Messages of gallery-dl")
struct GalleryTests {
  private static let messages = [
    #"[2, {"category": "site", "subcategory": "user", "title": "", "id": 7}]"#,
    #"[3, "http://h/1", {"filename": "a/b", "extension": "jpg", "num": 1, "title": "T", "tags": ["x"]}]"#,
    #"[3, "http://h/2", {"num": 2, "extension": "png", "_http_headers": {"Referer": "http://r/", "Accept-Encoding": "x", "N": null}, "_fallback": ["http://m/2"], "user": {"filename": "no"}}]"#,
    #"[2, {"category": "site", "subcategory": "user"}]"#,
    #"[3, "http://h/3", {}]"#,
    #"[2, {"title": "Work", "category": "site"}]"#,
    #"[6, "http://h/user?page=2", {"category": "x"}]"#,
    #"[-1, {"error": "HttpError", "message": "'404 Not Found' for 'http://h/x'"}]"#,
    #"[1, 1]"#,
    #"[3, "text:abc", {}]"#,
    #"[3, "http://h/4", {"_http_method": "POST"}]"#,
    #"[3, "http://h/5", {"filename": "e", "extension": ""}]"#,
  ]

  static let texts: [(String, Bool)] = [
    (messages.joined(separator: "\n"), true),
    ("\u{feff}" + messages.joined(separator: "\r\n\r\n") + "\r\n", true),
    ("[" + messages.joined(separator: ",") + "]", false),
    ("[\n  " + messages.joined(separator: ",\n  ") + "\n]\n", false),
  ]

  @Test("One array and JSON Lines are recognised and read alike", arguments: GalleryTests.texts)
  func alike(text: String, hasLines: Bool) throws {
    for format in [nil, ManifestFormat.galleryDL] {
      let reading = Reading(text, format: format)
      #expect(reading.error == nil)
      #expect(reading.format == .galleryDL)
      #expect(
        reading.outline == [
          "site user", "http://h/1", "http://h/2", "http://h/3", "Work", "http://h/5",
        ])
      #expect(reading.entries.map(\.name) == ["a/b.jpg", "2.png", nil, "e"])
      #expect(reading.entries.map(\.title) == ["T", nil, nil, nil])
      try #require(reading.entries.count == 4 && reading.problems.count == 4)
      let second = reading.entries[1]
      #expect(second.headers.fields.map(\.name) == ["Referer"])
      #expect(second.mirrors.map(\.description) == ["http://m/2"])
      #expect(
        reading.problems.map(\.reason) == [
          "\"http://h/user?…\" is a page that gallery-dl has not resolved; add its images with gallery-dl -J",
          "gallery-dl reports HttpError: '404 Not Found' for 'http://h/x'",
          "\"text:abc\" cannot be fetched: scheme \"text\" is not http or https",
          "needs the request method \"POST\", which a list cannot have",
        ])
      #expect((reading.problems[0].line != nil) == hasLines)
    }
  }

  @Test("An error of a version before 1.30 is reported, behind other messages and alone")
  func earlierError() {
    let error = #"["HttpError", "'429 Too Many Requests' for 'http://h/?page=2'"]"#
    let reason = "gallery-dl reports HttpError: '429 Too Many Requests' for 'http://h/?page=2'"
    for text in [#"[[2, {}], [3, "http://h/1", {}], \#(error)]"#, "[\(error)]"] {
      let reading = Reading(text)
      #expect(reading.format == .galleryDL)
      #expect(reading.problems.map(\.reason) == [reason])
    }
    let lines = Reading("[2, {}]\n[3, \"http://h/1\", {}]\n\(error)\n")
    #expect(lines.urls == ["http://h/1"])
    #expect(lines.problems.map(\.reason) == [reason])
    #expect(Reading(#"[["Title", "http://h/1"]]"#).format != .galleryDL)
  }

  @Test("An invalid line loses only itself")
  func badLine() {
    let text =
      "[2, {}]\n[3, \"http://h/1\", {}]\n[3, \"http://h/\n7\n{}\n[]\n[3]\n[3, \"http://h/2\", {}]\n"
    let reading = Reading(text)
    #expect(reading.urls == ["http://h/1", "http://h/2"])
    #expect(reading.problems.map(\.line) == [3, 4, 5, 7])
    #expect(reading.problems.first?.reason.hasPrefix("column ") == true)
  }

  @Test("An invalid element of the array loses only itself")
  func badElement() {
    let text =
      "[[2, {}], 5, {\"a\": [1]}, \"x\", [3, \"http://h/1\", {}], [3, {}], [3, \"http://h/2\", {}]]"
    let reading = Reading(text)
    #expect(reading.urls == ["http://h/1", "http://h/2"])
    #expect(reading.problems.map(\.index) == [0, 1, 2, 4])
    #expect(
      reading.problems.map(\.reason) == [
        "is a number, not a message of gallery-dl", "is an object, not a message of gallery-dl",
        "is a string, not a message of gallery-dl", "has no URL",
      ])
  }

  @Test(
    "A list with a number or an array by mistake is no message",
    arguments: [
      #"[3, "http://h/1"]"#, #"[2, "http://h/1"]"#, #"[[3, "x", "y"], "http://h/1"]"#,
      #"[[2], "http://h/1"]"#, #"[[], "http://h/1"]"#,
      #"[-1, {"url": "http://h/1"}]"#.replacing("-1", with: "7"),
      #"[[[2, {}]], "http://h/1"]"#,
    ])
  func lists(text: String) {
    let reading = Reading(text)
    #expect(reading.format == .json)
    #expect(reading.urls == ["http://h/1"])
    #expect(reading.problemCount == 1)
    #expect(reading.problems.map(\.index) == [0])
  }

  @Test("A single message is a list")
  func single() {
    #expect(Reading(#"[3, "http://h/1", {"num": 1}]"#).urls == ["http://h/1"])
    #expect(
      Reading(#"[3, "http://h/1", {"num": 1}] [3, "http://h/1", {}]"#).error?.code == .notJSON)
    #expect(Reading("[]", format: .galleryDL).error == nil)
    #expect(Reading("", format: .galleryDL).error == nil)
  }

  @Test("The failure of gallery-dl itself names it once")
  func ownFailure() {
    let reading = Reading(
      #"[[3,"http://h/1",{}],[-1,{"error":"gallery-dl","message":"exited with code 4: x"}]]"#)
    #expect(reading.problems.map(\.reason) == ["gallery-dl exited with code 4: x"])
  }
}
