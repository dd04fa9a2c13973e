/// The images in linked data (JSON-LD 1.1) with the vocabulary of schema.org: `image`, and `contentUrl` or `url`
/// of an `ImageObject`.
enum LinkedData {
  struct Image: Equatable {
    var url: String
    var width: Int?
  }

  /// The maximum number of images of one script.
  private static let limit = 1_000

  /// Returns the images of the contents of a script, in order; empty for a script that is not JSON. Images of
  /// persons, organizations and related things are left out.
  static func images(in script: String) -> [Image] {
    guard let value = JSONReader.value(script) else { return [] }
    var images: [Image] = []
    collect(value, isImage: false, into: &images)
    return images
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
    case .string(let text): if isImage { images.append(Image(url: text)) }
    case .array(let elements):
      for element in elements { collect(element, isImage: isImage, into: &images) }
    case .object(let members):
      let types = types(of: value)
      guard isImage || types.isDisjoint(with: otherTypes) else { return }
      if isImage || types.contains("ImageObject") || types.contains("Photograph"),
        let url = value["contentUrl"]?.text ?? value["url"]?.text
      {
        images.append(Image(url: url, width: width(of: value)))
        return
      }
      for (name, member) in members where !otherProperties.contains(name) {
        collect(member, isImage: name == "image" || name == "contentUrl" && isImage, into: &images)
      }
    case .other: break
    }
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
    case .string(let text), .other(let text): Int(text)
    default: nil
    }
  }
}
