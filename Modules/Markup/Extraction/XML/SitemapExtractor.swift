import Markup

/// Reads a sitemap or an index of sitemaps (sitemaps.org protocol 0.9, with Google's image extension). Pages
/// are not read: an entry is an image of a page, or a page's URL that names an image, PDF or archive. An image
/// that several pages have, such as a logo, is one entry, with the title of its first mention.
struct SitemapExtractor: Sendable {
  private enum Field { case location, imageLocation, imageTitle, imageCaption }

  private var depth = 0
  private var text = ElementText()
  private var field = Field.location
  private var isInImage = false
  private var location: String?
  private var images: [MarkupEntry] = []
  private var image = MarkupEntry(url: "")
  private var caption: String?
  private var omitted = OmissionCount()
  /// The hashes of the URLs of entries, at most as many as the entries that a document may have: 16 MiB for a
  /// million. Two URLs of a million have the same hash of 64 bits with a probability below 10^-7.
  private var mentioned: Set<Int> = []

  mutating func handle(_ event: MarkupEvent, into items: inout [MarkupItem]) {
    switch event {
    case .start(let name, _, _):
      depth += 1
      start(name)
    case .text(let characters): text.append(characters)
    case .end(let name):
      if let value = text.end(at: depth) { assign(value) }
      end(name, &items)
      depth -= 1
    }
  }

  func finish(into items: inout [MarkupItem]) {
    let problem = omitted.sentence(
      "page has no images in the sitemap", "pages have no images in the sitemap")
    if let problem { items.append(.problem(problem)) }
  }

  private mutating func start(_ name: String) {
    switch (depth, name) {
    case (2, _):
      location = nil
      images = []
    case (3, "loc"): begin(.location)
    case (3, "image"):
      isInImage = true
      image = MarkupEntry(url: "")
      caption = nil
    case (4, "loc") where isInImage: begin(.imageLocation)
    case (4, "title") where isInImage: begin(.imageTitle)
    case (4, "caption") where isInImage: begin(.imageCaption)
    default: break
    }
  }

  private mutating func begin(_ field: Field) {
    self.field = field
    text.begin(at: depth)
  }

  private mutating func assign(_ value: String) {
    switch field {
    case .location: location = value
    case .imageLocation: image.url = value
    case .imageTitle: image.title = Words.collapsed(value)
    case .imageCaption: caption = Words.collapsed(value)
    }
  }

  private mutating func end(_ name: String, _ items: inout [MarkupItem]) {
    switch (depth, name) {
    case (3, "image"):
      isInImage = false
      image.title = image.title ?? caption
      if !image.url.isEmpty { images.append(image) }
    case (2, "sitemap"):
      if let location, !location.isEmpty { items.append(.document(location, .part)) }
    case (2, "url"):
      endPage(&items)
    default: break
    }
  }

  private mutating func endPage(_ items: inout [MarkupItem]) {
    if images.isEmpty, let location, !location.isEmpty {
      if SupportedFile.isNamed(by: location) {
        append(MarkupEntry(url: location), &items)
      } else {
        omitted.add(location)
      }
    }
    for image in images { append(image, &items) }
    images = []
  }

  private mutating func append(_ entry: MarkupEntry, _ items: inout [MarkupItem]) {
    guard mentioned.insert(entry.url.hashValue).inserted else { return }
    items.append(.entry(entry))
  }
}
