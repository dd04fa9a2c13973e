import Markup
import Models

/// Reads RSS (0.9 to 2.0), Atom (RFC 4287) and Media RSS: the title of the feed, the images and files of each
/// item in order, and the next page (RFC 5005 §3).
struct FeedExtractor: Sendable {
  /// The namespace of an element, as far as it matters.
  private enum Space { case feed, atom, media, other }

  private var depth = 0
  /// The item that is being read, and the depth of its element.
  private var item: FeedItem?
  private var itemDepth = 0
  /// The open `media:content`, to which a title belongs, and its depth.
  private var mediaDepth: Int?
  private var text = ElementText()
  /// The content of the title that is being read, and whether it is an element of Media RSS.
  private var titleContent = FeedText.Content.plain
  private var isMediaTitle = false
  private var hasTitle = false
  private var hasItems = false
  private var hasNextPage = false
  private var bases: XMLBases
  private var omitted = OmissionCount()

  init(url: String?) { bases = XMLBases(url: url) }

  mutating func handle(_ event: MarkupEvent, into items: inout [MarkupItem]) {
    switch event {
    case .start(let name, let namespace, let attributes):
      depth += 1
      bases.enter(depth, attributes)
      start(name, Self.space(namespace), attributes, &items)
    case .text(let characters): text.append(characters)
    case .end(let name):
      end(name, &items)
      bases.leave(depth)
      depth -= 1
    }
  }

  func finish(into items: inout [MarkupItem]) {
    let problem = omitted.sentence(
      "attachment is not an image, PDF or archive", "attachments are not images, PDFs or archives")
    if let problem { items.append(.problem(problem)) }
  }

  private static func space(_ namespace: String) -> Space {
    switch namespace {
    case "", "http://purl.org/rss/1.0/", "http://backend.userland.com/rss2",
      "http://my.netscape.com/rdf/simple/0.9/":
      .feed
    case "http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#", "atom": .atom
    case "http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss", "media": .media
    default: .other
    }
  }

  // MARK: - Elements

  private mutating func start(
    _ name: String, _ space: Space, _ attributes: [MarkupAttribute], _ items: inout [MarkupItem]
  ) {
    switch (space, name) {
    case (.feed, "item") where item == nil, (.atom, "entry") where item == nil:
      (item, itemDepth, hasItems) = (FeedItem(), depth, true)
    case (.feed, "title"): beginTitle(.escaped)
    case (.atom, "title"): beginTitle(FeedText.Content(type: attributes["type"]))
    case (.media, "title") where item != nil:
      beginTitle(FeedText.Content(type: attributes["type"]), isMedia: true)
    case (.feed, "enclosure"):
      add(FeedImage(bases.resolve(attributes["url"]), attributes), \.enclosures)
    case (.atom, "link"), (.feed, "link"):
      link(attributes, &items)
    case (.atom, "content"):
      add(FeedImage(bases.resolve(attributes["src"]), attributes), \.enclosures)
    case (.media, "group"): item?.beginGroup()
    case (.media, "content"):
      mediaDepth = mediaDepth ?? depth
      add(FeedImage(bases.resolve(attributes["url"]), attributes), \.contents)
    case (.media, "thumbnail"):
      add(FeedImage(bases.resolve(attributes["url"]), attributes), \.thumbnails)
    default: break
    }
  }

  private mutating func beginTitle(_ content: FeedText.Content, isMedia: Bool = false) {
    // An item has titles of other things in it, such as the source that it is taken from.
    let isDirect = depth == itemDepth + 1 || mediaDepth != nil || isInGroup
    if item != nil ? isDirect : depth <= 3 && !hasTitle {
      text.begin(at: depth)
      isMediaTitle = isMedia
      titleContent = content
    }
  }

  private var isInGroup: Bool { item?.isInGroup ?? false }

  private mutating func link(_ attributes: [MarkupAttribute], _ items: inout [MarkupItem]) {
    guard let reference = attributes["href"], let relation = attributes["rel"] else { return }
    switch relation.lowercased() {
    case "enclosure": add(FeedImage(bases.resolve(reference), attributes), \.enclosures)
    // A feed continues at one page; thousands of them would be no items of a sound document.
    case "next" where item == nil && !hasNextPage:
      if let reference = bases.resolve(reference) {
        hasNextPage = true
        items.append(.nextPage(reference))
      }
    default: break
    }
  }

  private mutating func add(
    _ image: FeedImage?, _ list: WritableKeyPath<FeedItem, [FeedImage]>
  ) {
    guard let image, item != nil else { return }
    guard image.isSupported else { return omitted.add(image.url) }
    guard item?.isFull == false else { return }
    let grouped = image.inGroup(item?.group)
    item?[keyPath: list].append(grouped)
  }

  private mutating func end(_ name: String, _ items: inout [MarkupItem]) {
    if let collected = text.end(at: depth) {
      endTitle(FeedText.plain(collected, titleContent), &items)
    }
    if mediaDepth == depth { mediaDepth = nil }
    if name == "group" { item?.endGroup() }
    if let ended = item, depth == itemDepth {
      for entry in ended.entries { items.append(.entry(entry)) }
      item = nil
    }
  }

  private mutating func endTitle(_ title: String?, _ items: inout [MarkupItem]) {
    guard let title else { return }
    if item == nil {
      // The title of a feed that follows its items is too late for the record.
      if !hasItems { items.append(.title(title)) }
      hasTitle = true
    } else if mediaDepth != nil {
      item?.setTitleOfLastContent(title)
    } else {
      item?.setTitle(title, isMedia: isMediaTitle)
    }
  }
}
