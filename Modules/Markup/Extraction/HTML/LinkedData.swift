import JSON

/// The images in linked data (JSON-LD 1.1) with the vocabulary of schema.org: `image`, and `contentUrl` or `url`
/// of an `ImageObject`.
struct LinkedData {
  struct Image: Equatable {
    var url: String
    var width: Int?
  }

  /// The maximum number of images of one script.
  private static let limit = 1_000

  /// The images in order, without those of persons, organizations and related things.
  private(set) var images: [Image] = []
  /// Whether the data describe one thing, such as an article or a product.
  let isAboutThing: Bool

  /// - Returns: nil for a script that is not JSON.
  init?(_ script: String) {
    guard let value = try? JSONValue(parsing: Array(script.utf8), .lenient) else { return nil }
    isAboutThing = Self.isAboutThing(value)
    Self.collect(value, isImage: false, into: &images)
  }

  /// Returns the images of the contents of a script, in order; empty for a script that is not JSON.
  static func images(in script: String) -> [Image] { LinkedData(script)?.images ?? [] }

  /// The types, in lower case, of things that have a page of their own.
  static let thingTypes: Set<String> = [
    "article", "newsarticle", "reportagenewsarticle", "scholarlyarticle", "blogposting",
    "socialmediaposting", "discussionforumposting", "product", "recipe", "photograph",
    "visualartwork", "painting", "book", "comicissue", "chapter", "movie", "musicalbum", "howto",
    "apartment", "house", "realestatelisting", "hotel", "restaurant", "event", "vehicle", "car",
    "video", "videoobject", "movieclip", "tvepisode", "podcastepisode", "song", "game", "videogame",
    "place", "landmarksorhistoricalbuildings", "lodgingbusiness", "touristattraction",
    "individualproduct", "imageobject", "imagegallery", "newsarticle", "opinionnewsarticle",
  ]

  private static func isAboutThing(_ value: JSONValue) -> Bool {
    switch value {
    case .array(let elements): elements.contains { isDescription(of: $0) }
    default: isDescription(of: value)
    }
  }

  private static func isDescription(of value: JSONValue) -> Bool {
    if case .array(let graph) = value["@graph"] {
      return graph.contains { isThing($0) }
    }
    return isThing(value)
  }

  private static func isThing(_ value: JSONValue) -> Bool {
    types(of: value).contains { thingTypes.contains($0.lowercased()) }
  }

  /// The types of things whose images are not those of the page.
  private static let otherTypes: Set<String> = [
    "Person", "Organization", "NewsMediaOrganization", "Corporation", "LocalBusiness", "Brand",
    "WebSite",
    "VideoObject", "AudioObject", "Review", "Comment",
  ]

  /// The properties whose values are other things than the page is about.
  private static let otherProperties: Set<String> = [
    "logo", "publisher", "author", "creator", "brand", "provider", "seller", "review", "comment",
    "isRelatedTo", "isSimilarTo", "relatedLink", "thumbnail", "isPartOf", "sourceOrganization",
    "mentions",
    "video", "sponsor", "breadcrumb",
  ]

  /// - Parameter isImage: Whether the value is that of an `image` property.
  private static func collect(_ value: JSONValue, isImage: Bool, into images: inout [Image]) {
    guard images.count < limit else { return }
    switch value {
    case .string(let text): if isImage { images.append(Image(url: oneLine(text))) }
    case .array(let elements):
      for element in elements { collect(element, isImage: isImage, into: &images) }
    case .object(let members):
      let types = types(of: value)
      guard isImage || types.isDisjoint(with: otherTypes) else { return }
      if isImage || types.contains("ImageObject") || types.contains("Photograph"),
        let url = value["contentUrl"]?.text ?? value["url"]?.text
      {
        images.append(Image(url: oneLine(url), width: width(of: value)))
        return
      }
      for member in members where !otherProperties.contains(member.name) {
        let isImage = member.name == "image" || member.name == "contentUrl" && isImage
        collect(member.value, isImage: isImage, into: &images)
      }
    case .number, .bool, .null: break
    }
  }

  /// Returns a text with spaces in the place of control characters.
  private static func oneLine(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 }) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 < " " ? " " : $0 }))
  }

  private static func types(of value: JSONValue) -> Set<String> {
    switch value["@type"] {
    case .string(let type): [type]
    case .array(let types): Set(types.compactMap(\.text))
    default: []
    }
  }

  private static func width(of value: JSONValue) -> Int? {
    switch value["width"] {
    case .string(let text), .number(let text): Int(text)
    default: nil
    }
  }
}
