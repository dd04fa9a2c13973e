import Manifests
import Markup
import Models
import Testing

/// Titles of more than 500 characters in each kind of source.
@Suite("Long titles") struct LongTitleTests {
  private static let families = String(repeating: "👩‍👩‍👧‍👦", count: 200)
  /// As many whole families as fit, each of seven scalars.
  private static let cut = String(repeating: "👩‍👩‍👧‍👦", count: 71) + "…"

  @Test("Titles of pages, feeds, tables and lists are cut between characters, with an ellipsis")
  func sources() throws {
    var page = MarkupEntries(
      name: "page", base: try HTTPURL("http://h/"), limits: ManifestLimits())
    var items: [ManifestItem] = []
    var image = MarkupEntry(url: "1.png")
    image.title = Self.families
    for rule in [MarkupRule.html, .feed] {
      try page.convert([.rule(rule), .title(Self.families), .entry(image)], into: &items)
    }
    #expect(items.first == .title(Self.cut))
    for case .entry(let entry) in items { #expect(entry.title == Self.cut) }

    let readings = [
      Reading("url,title\nhttp://h/1,\(Self.families)\nhttp://h/2,b\n"),
      Reading("http://h/1\t\(Self.families)\n"),
      Reading(
        """
        {"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "title": "\(Self.families)",
         "attachments": [{"url": "http://h/1", "mime_type": "image/png"}]}]}
        """),
    ]
    for reading in readings { #expect(reading.entries.first?.title == Self.cut) }
    let records = Reading(
      "url,album\nhttp://h/1,\(Self.families)\nhttp://h/2,\(Self.families)\nhttp://h/3,b\n")
    #expect(records.outline.first == Self.cut)
  }
}
