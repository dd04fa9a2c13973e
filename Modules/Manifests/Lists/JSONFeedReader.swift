import JSON
import Markup
import Models

/// Reads a JSON Feed (version 1.1, jsonfeed.org): the title of the feed, the attachments of each item that are
/// images, PDFs or archives, and the next page. An item without such attachments stands for its image.
struct JSONFeedReader: Sendable {
  /// The beginning of the member `version`, by which a feed is recognized.
  static let versionPrefix = "https://jsonfeed.org/version/"

  /// The number of containers between the feed and a value, by what the value belongs to.
  private enum Level {
    static let feed = 0
    static let items = 1
    static let item = 2
    static let attachment = 4
  }

  /// The maximum number of attachments that are kept of one item.
  private static let maximumAttachments = 10_000
  /// The maximum length in bytes of the URLs and titles of these attachments together.
  static let maximumAttachmentBytes = 8 << 20

  private var depth = 0
  /// The names of the current members, by the depth of their objects.
  private var names = Array(repeating: "", count: Level.attachment + 1)
  private var title: String?
  private var image: String?
  private var banner: String?
  private var attachments: [EntryDraft] = []
  /// The length in bytes of the URLs and titles in `attachments`.
  private var attachmentBytes = 0
  private var attachment = EntryDraft()
  private var mediaType: String?
  private var omittedCount = 0
  private var firstOmitted = ""
  /// The number of attachments that are not kept because their item has too many.
  private var excessCount = 0

  /// The error that the members of the feed state.
  var stated = StatedError()
  /// Whether a member shows that the object is a feed.
  private var isFeed = false
  private var hasItem = false

  /// The reason why the object, which has ended, is not a feed; nil if it is one.
  var refusal: String? {
    if !hasItem, let reason = stated.refusal { return reason }
    return isFeed ? nil : "is an object without \"version\" and \"items\", not a JSON Feed"
  }

  private var isInItem: Bool { depth >= Level.item && names[Level.feed] == "items" }
  private var isInAttachment: Bool {
    depth == Level.attachment && isInItem && names[Level.item] == "attachments"
  }

  /// Handles the events after the opening brace of the feed.
  ///
  /// - Returns: true for the closing brace of the feed.
  mutating func handle(_ event: JSONEvent, into collector: inout EntryCollector) -> Bool {
    if !isOfItems(event) { stated.handle(event) }
    switch event {
    case .key(let name):
      if depth < names.count { names[depth] = name }
      if depth == Level.feed, name == "version" || name == "items" { isFeed = true }
    case .beginArray, .beginObject:
      if depth == Level.feed { feedMember(event, into: &collector) }
      if depth == Level.items, names[Level.feed] == "items", event == .beginArray {
        collector.addProblem("is an array, not an item of a feed")
      }
      depth &+= 1
      if depth < names.count { names[depth] = "" }
    case .endArray, .endObject:
      if depth == Level.feed {
        reportOmissions(to: &collector)
        return true
      }
      if isInAttachment {
        endAttachment()
      } else if depth == Level.item, isInItem {
        endItem(into: &collector)
      }
      depth &-= 1
    default: value(event, into: &collector)
    }
    return false
  }

  /// Whether an event is one of the array `items`.
  private func isOfItems(_ event: JSONEvent) -> Bool {
    guard names[Level.feed] == "items" else { return false }
    return depth > Level.feed || event == .beginArray || event == .beginObject
  }

  private mutating func value(_ event: JSONEvent, into collector: inout EntryCollector) {
    switch (depth, event) {
    case (Level.feed, _): feedMember(event, into: &collector)
    case (Level.items, _) where names[Level.feed] == "items":
      collector.addProblem("is \(EntryReader.name(event)), not an item of a feed")
    case (Level.item, .string(let text)) where isInItem:
      switch names[Level.item] {
      case "title": title = ManifestTitle.cleaned(text)
      case "image": image = text
      case "banner_image": banner = text
      default: break
      }
    case (Level.attachment, .string(let text)) where isInAttachment:
      switch names[Level.attachment] {
      case "url": attachmentURL(text)
      case "title": attachment.title = ManifestTitle.cleaned(text)
      case "mime_type": mediaType = text
      default: break
      }
    case (Level.attachment, .number(let digits)) where isInAttachment:
      if names[Level.attachment] == "size_in_bytes", let size = Int64(digits), size > 0 {
        attachment.byteCount = size
      }
    default: break
    }
  }

  /// Keeps the URL of the attachment, unless no request can name it.
  private mutating func attachmentURL(_ text: String) {
    guard text.utf8.count <= HTTPURL.maximumLength else {
      attachment.url = nil
      return attachment.fail("its URL is longer than \(HTTPURL.maximumLength) bytes")
    }
    attachment.url = text
  }

  /// Handles the value of a member of the feed, or the first event of an array or object.
  private func feedMember(_ event: JSONEvent, into collector: inout EntryCollector) {
    switch (names[Level.feed], event) {
    case ("title", .string(let text)):
      // The title of a feed that follows its items is too late for the record.
      if collector.entryCount == 0, let title = ManifestTitle.cleaned(text) {
        collector.items.append(.title(title))
      }
    case ("next_url", .null), ("next_url", .bool(false)), ("next_url", .string("")): break
    case ("next_url", .string(let text)): collector.items.append(.nextPage(text))
    case ("next_url", _):
      collector.addRemark("its \"next_url\" is \(EntryReader.name(event)), not a URL")
    default: break
    }
  }

  private mutating func endAttachment() {
    defer { (attachment, mediaType) = (EntryDraft(), nil) }
    if let url = attachment.url {
      let isOfType = mediaType.flatMap(SupportedFile.isOfType)
      guard isOfType ?? true || SupportedFile.isNamed(by: url) else {
        if omittedCount == 0 { firstOmitted = url }
        omittedCount &+= 1
        return
      }
    }
    let length = (attachment.url?.utf8.count ?? 0) + (attachment.title?.utf8.count ?? 0)
    guard attachments.count < Self.maximumAttachments,
      length <= Self.maximumAttachmentBytes - attachmentBytes
    else {
      excessCount &+= 1
      return
    }
    attachmentBytes += length
    attachments.append(attachment)
  }

  private mutating func endItem(into collector: inout EntryCollector) {
    hasItem = true
    if attachments.isEmpty, let url = image ?? banner {
      var draft = EntryDraft()
      draft.url = url
      attachments = [draft]
    }
    for var draft in attachments {
      draft.title = draft.title ?? title
      collector.addEntry(draft)
    }
    (title, image, banner, attachments, attachmentBytes) = (nil, nil, nil, [], 0)
  }

  private func reportOmissions(to collector: inout EntryCollector) {
    if excessCount > 0 {
      collector.addRemark(
        "\(excessCount) attachments are left out: of one item, at most \(Self.maximumAttachments) are read, "
          + "and \(Self.maximumAttachmentBytes) bytes of their URLs and titles")
    }
    guard omittedCount > 0 else { return }
    let count = omittedCount == 1 ? "1 attachment is" : "\(omittedCount) attachments are"
    collector.addRemark(
      "\(count) neither image nor PDF nor archive; the first: \(Excerpt.quote(url: firstOmitted))")
  }
}
