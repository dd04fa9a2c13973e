import Manifests
import Models
import Testing

@Suite("JSON Feed") struct JSONFeedTests {
  private func feed(_ items: String, _ members: String = "\"title\": \"Birds\",") -> String {
    """
    {"version": "https://jsonfeed.org/version/1.1", \(members) "authors": [{"name": "x", "url": "http://h/me"}],
     "items": [\(items)]}
    """
  }

  private func base() throws -> HTTPURL { try HTTPURL("http://h/feed.json") }

  @Test("Attachments are entries with the title of their item, and the feed has a title and pages")
  func attachments() throws {
    let text = feed(
      """
      {"id": "1", "url": "http://h/1.html", "attachments": [
        {"url": "a.jpg", "mime_type": "image/jpeg", "size_in_bytes": 12},
        {"url": "b.png", "mime_type": "image/png", "title": "Own", "duration_in_seconds": 3},
        {"url": "c.mp3", "mime_type": "audio/mpeg"}], "title": "One"},
      {"id": 2, "url": "http://h/2.html", "content_html": "<img src=x.jpg>", "image": "d.jpg"},
      {"id": "3", "url": "http://h/3.html", "banner_image": "e.jpg", "tags": ["url", {"url": "no.jpg"}]}
      """, "\"title\": \"Birds\", \"next_url\": \"feed.json?page=2\",")
    let reading = Reading(text, base: try base())
    #expect(reading.error == nil && reading.format == .feed)
    #expect(reading.urls == ["a.jpg", "b.png", "d.jpg", "e.jpg"].map { "http://h/\($0)" })
    #expect(reading.entries.map(\.title) == ["One", "Own", nil, nil])
    #expect(reading.entries.map(\.byteCount) == [12, nil, nil, nil])
    #expect(reading.items.prefix(2) == [.referring(policy: nil), .title("Birds")])
    #expect(reading.nextPages == ["feed.json?page=2"])
    #expect(reading.problems.count == 1 && reading.problems[0].reason.contains("c.mp3"))
    // The result does not depend on how the bytes arrive.
    for size in [1, 7] {
      let bytes = Array(text.utf8)
      let parts = Array(repeating: size, count: bytes.count / size)
      #expect(Reading(bytes, base: try base(), chunks: parts) == reading)
    }
  }

  @Test(
    "An object that is no feed, or states an error instead of items, is refused as a demanded feed",
    arguments: [
      (#"{"error": "rate limited"}"#, #"is an error message, not a list: "error": "rate limited""#),
      ("{}", #"is an object without "version" and "items", not a JSON Feed"#),
      (
        #"{"version": "https://jsonfeed.org/version/1.1", "items": [], "error": {"text": "quota"}}"#,
        #"is an error message, not a list: "text": "quota""#
      ),
    ])
  func noFeed(text: String, reason: String) {
    let reading = Reading(text, format: .feed)
    #expect(reading.entries.isEmpty && reading.error?.reason == reason)
  }

  @Test("A feed without items, and one whose items have no images, are read")
  func emptyFeeds() {
    for text in ["{\"items\": []}", "{\"version\": \"x\"}", feed("{\"id\": 1}", "\"error\": 1,")] {
      let reading = Reading(text, format: .feed)
      #expect(reading.error == nil && reading.entries.isEmpty, "\(text)")
    }
  }

  @Test("A next page that is not a URL is a problem, unless there is none")
  func nextPages() {
    for (value, count) in [
      ("7", 1), ("[\"a\"]", 1), ("{}", 1), ("true", 1), ("null", 0), ("false", 0), ("\"\"", 0),
    ] {
      let reading = Reading(feed("", "\"next_url\": \(value),"))
      #expect(reading.nextPages.isEmpty && reading.problems.count == count, "\(value)")
      #expect(reading.problems.allSatisfy { $0.reason.contains("\"next_url\" is") })
    }
  }

  @Test("An attachment of an unknown type is tried, and one without a URL is a problem")
  func unknownTypes() throws {
    let reading = Reading(
      feed(
        """
        {"attachments": [{"url": "http://h/x", "mime_type": "application/octet-stream"}, {"url": "http://h/y"},
         {"url": "http://h/z.jpg", "mime_type": "text/plain"}, {"mime_type": "image/png"}]}
        """))
    #expect(reading.urls == ["http://h/x", "http://h/y", "http://h/z.jpg"])
    #expect(reading.problems.map(\.index) == [3])
  }

  @Test("A page with items that is no feed is read as before, and a demanded feed needs no version")
  func recognition() throws {
    let page = "{\"version\": \"1\", \"items\": [{\"url\": \"http://h/1.jpg\"}]}"
    #expect(Reading(page).urls == ["http://h/1.jpg"])
    #expect(Reading(page, format: .json).format == .json)
    #expect(
      Reading(feed("{\"url\": \"http://h/1.jpg\"}"), format: .json).urls == ["http://h/1.jpg"])
    let late = "{\"items\": [{\"image\": \"http://h/1.jpg\"}], \"title\": \"late\"}"
    let reading = Reading(late, format: .feed)
    #expect(reading.urls == ["http://h/1.jpg"] && reading.format == .feed)
    #expect(Reading("[]", format: .feed).error?.code == .shape)
    #expect(Reading("<rss/>", format: .feed).error?.code == .notAList)
  }

  @Test("Items of another type are problems, and a feed can end at every byte")
  func bad() throws {
    let reading = Reading(
      feed("1, [], \"x\", null, {\"image\": 1}, {\"image\": \"http://h/1.jpg\"}"))
    #expect(reading.problemCount == 4 && reading.urls == ["http://h/1.jpg"])
    let bytes = Array(
      feed("{\"attachments\": [{\"url\": \"http://h/1.jpg\"}]}, {\"image\": \"http://h/2.jpg\"}")
        .utf8)
    for length in 0..<bytes.count {
      let cut = Reading(Array(bytes.prefix(length)), format: .feed)
      #expect(cut.error != nil && cut.entryCount <= 2, "\(length)")
    }
    #expect(Reading(bytes).entryCount == 2)
  }

  @Test("A million items are read")
  func many() {
    let items = Array(repeating: "{\"image\":\"http://h/1.jpg\"}", count: 1_000_000)
    #expect(Reading(feed(items.joined(separator: ","))).entryCount == 1_000_000)
  }

  @Test("URLs that no request can name, and attachments without end, are not kept")
  func longURLs() throws {
    let long = String(repeating: "a", count: HTTPURL.maximumLength + 1)
    let one = Reading(
      feed("{\"attachments\": [{\"url\": \"http://h/\(long)\"}, {\"url\": \"http://h/1.jpg\"}]}"))
    #expect(one.urls == ["http://h/1.jpg"])
    #expect(one.problems.map(\.reason) == ["its URL is longer than 65536 bytes"])
    let padding = String(repeating: "b", count: 60_000)
    let attachments = (0..<300).map { "{\"url\": \"http://h/\($0)\(padding).jpg\"}" }
    let many = Reading(feed("{\"attachments\": [\(attachments.joined(separator: ","))]}"))
    #expect(many.error == nil)
    #expect((100..<150).contains(many.entryCount))
    #expect(many.problems.count == 1)
    #expect(many.problems.first?.reason.hasPrefix("\(300 - many.entryCount) attachments") == true)
  }
}
