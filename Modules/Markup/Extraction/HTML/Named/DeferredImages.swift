import Markup

/// The images that a program is to put into an element without images, as its attributes name them.
struct DeferredImages {
  let attributes: AttributeMap
  /// The URLs in attributes of late loading, and those in JSON.
  let urls: [String]
  /// The images that an attribute names in JSON.
  let data: [DataImages.Image]

  /// Elements that lead to an image or choose among images, or whose images are not shown.
  private static let others: Set<String> = [
    "a", "button", "input", "option", "select", "label", "script", "style", "meta", "link", "base",
    "iframe", "video", "audio", "source", "embed", "object", "html", "body", "head", "form", "td",
    "picture", "noscript",
  ]

  /// - Returns: nil if the attributes name no image file.
  init?(_ name: String, _ attributes: AttributeMap) {
    // The elements of AMP that are no images count visitors, or show advertisements and films.
    let isCustom = name.contains("-") && !name.hasPrefix("amp-")
    guard !Self.others.contains(name),
      isCustom || attributes.all.contains(where: { $0.name.hasPrefix("data-") })
    else { return nil }
    var urls: [String] = []
    var data: [DataImages.Image] = []
    if !ImageAttributes.isPlaceholder(attributes) {
      var found = ImageAttributes()
      if isCustom { found.addImage(attributes) }
      if let url = found.best?.url, URLShape(url).isImageFile {
        urls = [url]
      } else if let url = ImageAttributes.fullSize(attributes) ?? Self.original(attributes) {
        urls = [url]
      }
    }
    for attribute in attributes.all where attribute.value.utf8.count >= 8 {
      guard let images = DataImages(attribute.value)?.images else { continue }
      data += images
      if urls.isEmpty, Self.namesSeries(attribute.name) { urls = images.map(\.url) }
    }
    guard !urls.isEmpty || !data.isEmpty else { return nil }
    (self.attributes, self.urls, self.data) = (attributes, urls, data)
  }

  private static func original(_ attributes: AttributeMap) -> String? {
    attributes["data-original"].flatMap(Reference.cleaned).flatMap {
      URLShape($0).isImageFile ? $0 : nil
    }
  }

  /// Whether an attribute has the images of the element rather than settings with images in them.
  private static func namesSeries(_ name: String) -> Bool {
    Words.split(name).contains {
      ["images", "photos", "pictures", "gallery", "slides", "media", "items", "srcs"].contains($0)
    }
  }
}
