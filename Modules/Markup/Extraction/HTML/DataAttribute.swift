/// An attribute of an author's own that has the URL of an image (HTML Standard, "embedding custom
/// non-visible data"), recognized by the words of its name, such as `data-lazy-src` and `data-zoom-image`.
struct DataAttribute {
  /// `full` for an attribute with the full size, `shown` for one that replaces `src`.
  let kind: ImageCandidate.Source

  /// The attributes of an `img` that HTML defines, or defined once.
  private static let standard: Set<String> = [
    "src", "srcset", "alt", "title", "class", "id", "style", "width", "height", "sizes", "loading",
    "decoding", "usemap", "longdesc", "lowsrc", "name", "border", "align", "crossorigin",
    "referrerpolicy",
    "fetchpriority", "itemprop", "role", "rel", "href", "onclick", "onload", "onerror",
    "onmouseover",
  ]

  /// - Parameter isOfImage: Whether the element is an image, whose attributes some programs invent without
  ///   the prefix `data-`.
  /// - Returns: nil for an attribute of another kind.
  init?(_ name: String, isOfImage: Bool = false) {
    let isData = name.hasPrefix("data-")
    guard isData || isOfImage && !Self.standard.contains(name) else { return nil }
    let words = Words.split(name.utf8.dropFirst(isData ? 5 : 0))
    guard !words.contains(where: Self.others.contains) else { return nil }
    if words.contains(where: Self.full.contains) || words.contains(where: Self.isFullCompound) {
      kind = .full
    } else if words.contains(where: Self.lazy.contains) {
      kind = .shown
    } else {
      return nil
    }
  }

  /// Whether a word is one for the full size and one for an image without a boundary, such as
  /// `originalimage`.
  private static func isFullCompound(_ word: String) -> Bool {
    guard let noun = ["image", "img", "picture", "photo"].first(where: word.hasSuffix) else {
      return false
    }
    let size = String(word.dropLast(noun.count))
    return size == "original" || full.contains(size)
  }

  /// Whether the attribute names a version of the image that is smaller than another one.
  static func isOfSmallerVersion(_ name: String) -> Bool {
    name.hasPrefix("data-")
      && Words.split(name.utf8.dropFirst(5)).contains {
        ["thumb", "thumbnail", "small", "preview", "medium"].contains($0)
      }
  }

  /// Whether a script shows the value of the attribute behind the element.
  static func isBackground(_ name: String) -> Bool {
    guard name.hasPrefix("data-b") || name.hasPrefix("data-lazy-b") else { return false }
    return Words.split(name.utf8.dropFirst(5)).contains { backgrounds.contains($0) }
  }

  private static let lazy: Set<String> = [
    "src", "lazy", "lazysrc", "lazyload", "original", "originalsrc", "echo", "url", "uri", "image",
    "img", "imageurl", "imagesrc", "imgsrc", "source", "cfsrc", "ezsrc", "file", "realsrc", "osrc",
  ]

  private static let full: Set<String> = [
    "full", "fullsrc", "fullsize", "large", "largesrc", "big", "bigsrc", "zoom", "zoomsrc", "hires",
    "highres", "hisrc", "orig", "origsrc", "photoswipe", "pswp", "lightbox", "fancybox", "retina",
    "superzoom", "max", "magnify", "zoomfile",
  ]

  /// Words of attributes with a smaller version, or with something else.
  private static let others: Set<String> = [
    "thumb", "thumbs", "thumbnail", "small", "low", "lowres", "lqip", "placeholder", "blur",
    "name", "preview", "poster", "icon", "avatar", "medium", "share", "link", "page", "api", "ajax",
    "json",
    "error", "fallback", "video", "canonical", "pin", "tiny", "bg", "background",
  ]

  private static let backgrounds: Set<String> = [
    "bg", "background", "backgroundimage", "bgimage", "bgsrc",
  ]
}
