import Manifests
import Models
import Testing

@Suite("The forms of a list")
struct ManifestShapeTests {
  @Test("An array of strings is a list; duplicates are kept")
  func strings() throws {
    let reading = Reading(#"["http://h/a.png", "https://h/b.png", "http://h/a.png"]"#)
    #expect(reading.error == nil)
    #expect(reading.format == .json)
    #expect(reading.urls == ["http://h/a.png", "https://h/b.png", "http://h/a.png"])
    #expect(reading.entries.map(\.index) == [0, 1, 2])
    #expect(reading.entryCount == 3)
    #expect(reading.problemCount == 0)
  }

  @Test("An array may mix strings and objects with title, sha256 and headers")
  func objects() throws {
    let hash = String(repeating: "0f", count: 32)
    let reading = Reading(
      """
      ["http://h/1", {"title": " Two\\u0007 ", "url": "http://h/2", "sha256": "\(hash.uppercased())",
       "headers": {"Referer": "http://h/", "Cookie": "a=b"}, "more": {"url": [1, {"url": "x"}]}}]
      """)
    let second = try #require(reading.entries.last)
    #expect(reading.urls == ["http://h/1", "http://h/2"])
    #expect(second.title == "Two")
    #expect(second.checksum?.digits == hash)
    #expect(second.headers["referer"] == "http://h/")
    #expect(second.headers["Cookie"] == "a=b")
    #expect(reading.problems == [])
  }

  @Test("An object of names and URLs is a list with titles, in its order")
  func names() {
    let reading = Reading(#"{"b": "http://h/2", "a": "http://h/1", "": "http://h/3"}"#)
    #expect(reading.urls == ["http://h/2", "http://h/1", "http://h/3"])
    #expect(reading.entries.map(\.title) == ["b", "a", nil])
  }

  @Test("An object of names and URLs is streamed, also with other members among them")
  func longMap() {
    var members = (0..<500).map { "\"n\($0)\": \"http://h/\($0)\"" }
    members.insert("\"deep\": {\"url\": [\"x\"]}", at: 64)
    members.insert("\"count\": 3", at: 0)
    let reading = Reading("{" + members.joined(separator: ",") + "}")
    #expect(reading.entryCount == 500)
    #expect(reading.problems.map(\.index) == [0, 65])
    #expect(reading.problems[0].reason == "\"count\" is a number, not a URL")
    #expect(reading.entries[499].title == "n499")
    #expect(reading.entries[499].index == 501)
  }

  @Test(
    "The list of an object is read from items, urls or resources, and next is reported",
    arguments: ["items", "urls", "resources"])
  func pages(name: String) {
    let list = "\"\(name)\": [\"http://h/1\", {\"url\": \"http://h/2\"}]"
    for text in [
      "{\(list), \"next\": \"/p2\"}", "{\"next\": \"/p2\", \"total\": 2, \(list)}",
      "{\"url\": \"http://api/\", \"meta\": {\"next\": 1, \"items\": [4]}, \"next\": \"/p2\", \(list)}",
      "{\(list), \"meta\": {\"next\": \"no\"}, \"links\": [[{}]], \"next\": \"/p2\"}",
    ] {
      let reading = Reading(text)
      #expect(reading.error == nil)
      #expect(reading.urls == ["http://h/1", "http://h/2"])
      #expect(reading.nextPages == ["/p2"])
      #expect(reading.problems == [])
    }
  }

  @Test("The last page has no next", arguments: ["null", "false", "\"\""])
  func lastPage(next: String) {
    let reading = Reading("{\"items\": [\"http://h/1\"], \"next\": \(next)}")
    #expect(reading.items.count == 1)
  }

  @Test("A next that is not a string is a problem of the list, and not of an entry")
  func badNext() throws {
    for text in ["{\"items\": [], \"next\": 2}", "{\"next\": {\"href\": \"x\"}, \"items\": []}"] {
      let reading = Reading(text)
      #expect(try #require(reading.problems.first).index == nil)
      #expect(reading.problemCount == 0)
      #expect(reading.nextPages == [])
    }
  }

  @Test(
    "The next page of a list is followed in the other forms that name its URL",
    arguments: [
      #""links": {"next": "/p2", "prev": null}"#, #""_links": {"next": {"href": "/p2"}}"#,
      #""links": [{"rel": "self", "href": "/p1"}, {"href": "/p2", "rel": "next"}]"#,
      #""meta": {"pagination": {"next_url": "/p2"}}"#, #""paging": {"next": "/p2"}"#,
      #""next_page": "/p2", "has_more": true"#, #""@odata.nextLink": "/p2""#,
      #""next": null, "links": {"next": "/p2"}"#, #""nextPage": {"url": "/p2"}"#,
    ])
  func otherNext(members: String) {
    for text in [
      "{\"items\": [\"http://h/1\"], \(members)}", "{\(members), \"items\": [\"http://h/1\"]}",
    ] {
      let reading = Reading(text)
      #expect(reading.urls == ["http://h/1"])
      #expect(reading.nextPages == ["/p2"], "\(text)")
      #expect(reading.problems == [])
    }
  }

  @Test(
    "A further page that has no URL is a problem of the list",
    arguments: [
      ("nextPageToken", #""nextPageToken": "abc""#), ("has_more", #""has_more": true"#),
      ("next_page", #""next_page": 2"#), ("next", #""paging": {"next": "abc"}"#),
      ("hasNextPage", #""pageInfo": {"hasNextPage": true, "endCursor": "x"}"#),
    ])
  func unreadNext(name: String, members: String) {
    for text in [
      "{\"items\": [\"http://h/1\"], \(members)}", "{\(members), \"items\": [\"http://h/1\"]}",
    ] {
      let reading = Reading(text)
      #expect(reading.nextPages == [])
      #expect(reading.problemCount == 0)
      #expect(
        reading.problems.map(\.reason) == [
          "its \"\(name)\" tells of a further page, which is not read: it is not the URL of one"
        ])
    }
  }

  @Test(
    "Members that tell of no further page are no problem",
    arguments: [
      #""links": {"next": null}, "has_more": false, "nextPageToken": """#,
      #""next_page": null, "next_cursor": 0, "meta": {"next": false}"#,
      #""links": [{"rel": "prev", "href": "/p0"}], "author": {"next": "x", "has_more": true}"#,
    ])
  func noFurtherPage(members: String) {
    for text in [
      "{\"items\": [\"http://h/1\"], \(members)}", "{\(members), \"items\": [\"http://h/1\"]}",
    ] {
      #expect(Reading(text).items.count == 1, "\(text)")
    }
  }

  @Test("An object with url is a list of one entry")
  func oneEntry() {
    for format in [nil, ManifestFormat.json] {
      let reading = Reading(#"{"title": "A", "url": "http://h/1", "x": [1]}"#, format: format)
      #expect(reading.urls == ["http://h/1"])
      #expect(reading.entries.first?.title == "A")
    }
  }

  @Test(
    "Empty lists are not an error",
    arguments: ["[]", "{}", "{\"items\": []}", "", "\n\n", "# none\n"])
  func empty(text: String) {
    let reading = Reading(text)
    #expect(reading.error == nil)
    #expect(reading.items == [])
  }

  @Test(
    "A lone value is not a list",
    arguments: ["\"http://h/a.png\"", "\"x\"\n"])
  func loneText(text: String) {
    #expect(Reading(text).error?.code == .shape)
    #expect(Reading(text, format: .json).error?.code == .shape)
  }

  @Test("A lone number, true or null is not a list", arguments: ["12", "true", "null"])
  func loneScalar(text: String) {
    #expect(Reading(text, format: .json).error?.code == .shape)
  }

  @Test("Content after the list is an error; the entries before it stay")
  func trailing() {
    for text in ["[\"http://h/1\"] x", "[\"http://h/1\"]\n[\"http://h/2\"]", "[\"http://h/1\"]]"] {
      let reading = Reading(text)
      #expect(reading.urls == ["http://h/1"])
      #expect(reading.error?.code == .notJSON)
    }
  }

  @Test("A truncated list keeps the entries that were complete")
  func truncated() {
    let reading = Reading(#"["http://h/1", "http://h/2", "http://h/"#)
    #expect(reading.urls == ["http://h/1", "http://h/2"])
    #expect(reading.error?.code == .truncated)
    #expect(reading.error?.description == "list, line 1, column 40: ends inside a text")
  }

  @Test("Relative entries are resolved against the list's own address")
  func relative() throws {
    let base = try HTTPURL("http://h/lists/birds.json?page=1")
    let text = #"["a.png", "/b.png", "//other/c.png", "../d.png", "?page=2", "https://x/e"]"#
    #expect(
      Reading(text, base: base).urls == [
        "http://h/lists/a.png", "http://h/b.png", "http://other/c.png", "http://h/d.png",
        "http://h/lists/birds.json?page=2", "https://x/e",
      ])
    let alone = Reading(text)
    #expect(alone.urls == ["https://x/e"])
    #expect(alone.problems.count == 5)
    #expect(alone.problems.first?.reason.contains("relative") == true)
  }

  @Test("The address of an entry is its normalized URL, for any spelling in the list")
  func addresses() throws {
    let text = #"["a.png", "HTTP://H:80/b c#d", "https://x/%65", {"url": "http://h:0081/é"}]"#
    let reading = Reading(text, base: try HTTPURL("http://h/"))
    let entries = reading.items.compactMap { if case .entry(let entry) = $0 { entry } else { nil } }
    #expect(
      entries.map(\.address) == [
        "http://h/a.png", "http://h/b%20c", "https://x/%65", "http://h:81/%C3%A9",
      ])
    #expect(entries.map(\.address) == entries.map(\.url.description))
  }

  @Test(
    "An entry that names the list itself is a problem",
    arguments: ["", "#top", " ", "l.json", "http://h/l.json"])
  func itself(text: String) throws {
    let reading = Reading("[\"\(text)\"]", base: try HTTPURL("http://h/l.json"))
    #expect(reading.problems.map(\.reason) == ["names the list itself"])
  }
}
