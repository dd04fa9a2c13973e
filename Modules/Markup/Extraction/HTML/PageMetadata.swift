/// The properties of a whole page, from its head.
struct PageMetadata: Sendable {
  /// The first `base`.
  var base: String?
  /// The content of the last `<meta name="referrer">`.
  private(set) var referrerPolicy: String?
  /// The images for social networks and search engines, in order.
  var images: [ImageCandidate] = []
  private(set) var linkedData: [LinkedData.Image] = []
  /// The images that the page loads early.
  var preloads: [ImageAttributes] = []
  /// The page that continues this one.
  var nextPage: String?
  /// Whether the page says that it is about one thing, such as an article or a product, in contrast to a listing.
  private(set) var isAboutThing = false
  private var shareTitle: String?
  private var documentTitle: String?
  private var heading: String?

  /// The title of the page: that for social networks, which has no name of the site in it, or that of the
  /// document, or its first heading.
  var title: String? { shareTitle ?? documentTitle ?? heading }

  mutating func addTitle(_ text: String, of name: String) {
    guard let text = Words.collapsed(text) else { return }
    if name == "h1" {
      heading = heading ?? text
    } else {
      documentTitle = documentTitle ?? text
    }
  }

  /// Adds the images of a script with linked data; at most some thousand of all scripts.
  mutating func addLinkedData(_ script: String) {
    guard linkedData.count < 1_000, let data = LinkedData(script) else { return }
    linkedData += data.images
    if data.isAboutThing { isAboutThing = true }
  }

  mutating func add(_ name: String, _ attributes: AttributeMap) {
    if name == "meta" {
      addProperty(attributes)
    } else {
      addLink(attributes)
    }
  }

  private mutating func addProperty(_ attributes: AttributeMap) {
    guard let name = (attributes["property"] ?? attributes["name"])?.lowercased(),
      let content = attributes["content"]
    else { return }
    switch name {
    case "referrer": if !content.isEmpty { referrerPolicy = content }
    case "og:type":
      let kind = content.lowercased().split(separator: ".").first ?? ""
      if LinkedData.thingTypes.contains(String(kind)) { isAboutThing = true }
    case "og:title": shareTitle = shareTitle ?? Words.collapsed(content)
    case "og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src":
      guard let url = Reference.cleaned(content), images.count < 100 else { return }
      let pixels = ImageVersion(url).pixels
      images.append(ImageCandidate(url: url, width: pixels.map { .hinted($0) } ?? .unknown))
    case "og:image:width":
      // The property describes the image before it (Open Graph protocol, "structured properties").
      if let width = Int(content), !images.isEmpty {
        images[images.count - 1].width = .stated(width)
      }
    default: break
    }
  }

  /// Returns the relations of a link, in lower case.
  static func relations(_ attributes: AttributeMap) -> [Substring] {
    (attributes["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
  }

  private mutating func addLink(_ attributes: AttributeMap) {
    guard Self.relations(attributes).contains("preload"), attributes["as"]?.lowercased() == "image",
      preloads.count < 100
    else { return }
    var found = ImageAttributes()
    found.addPreload(attributes)
    if !found.all.isEmpty { preloads.append(found) }
  }
}
