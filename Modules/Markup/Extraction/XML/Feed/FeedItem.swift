import Markup

/// An image or file that an item of a feed names.
struct FeedImage: Sendable {
  let url: String
  var title: String?
  private(set) var byteCount: Int64?
  private(set) var width: Int64 = 0
  private(set) var height: Int64 = 0
  private let type: String?
  private let medium: String?
  /// The number of the `media:group` in its item; nil outside of groups.
  private(set) var group: Int?

  init?(_ url: String?, _ attributes: [MarkupAttribute]) {
    guard let url, let cleaned = Reference.cleaned(url) else { return nil }
    self.url = cleaned
    type = attributes["type"]
    medium = attributes["medium"]?.lowercased()
    let size = (attributes["length"] ?? attributes["fileSize"]).flatMap { Int64($0) }
    // Many feeds write 0 for an unknown length.
    byteCount = size.flatMap { $0 > 0 ? $0 : nil }
    width = Self.pixels(attributes["width"])
    height = Self.pixels(attributes["height"])
    title = attributes["title"]
  }

  private static func pixels(_ text: String?) -> Int64 {
    guard let number = text.flatMap({ Int64($0) }), (1...1_000_000).contains(number) else {
      return 0
    }
    return number
  }

  /// Whether the resource may be shown. The medium decides, then the type, then the extension; a resource
  /// without any of them is tried.
  var isSupported: Bool {
    switch medium {
    case "image": return true
    case "video", "audio", "executable": return false
    default: break
    }
    if let type, let isOfType = SupportedFile.isOfType(type) {
      return isOfType || SupportedFile.isNamed(by: url)
    }
    return SupportedFile.isNamed(by: url) || !Self.isOtherMedia(url)
  }

  private static let otherMedia: Set<String> = [
    "mp3", "m4a", "ogg", "oga", "opus", "wav", "flac", "aac", "mp4", "m4v", "mov", "webm", "mkv",
    "avi", "torrent", "html", "htm", "epub", "exe",
  ]

  private static func isOtherMedia(_ url: String) -> Bool {
    otherMedia.contains(URLShape(url).fileExtension)
  }

  func inGroup(_ group: Int?) -> FeedImage {
    var image = self
    image.group = group
    return image
  }

  /// The URL without its query: images that differ in the query alone are versions of one image.
  var path: Substring { url[..<(url.firstIndex(of: "?") ?? url.endIndex)] }

  /// Whether this version is better than another one: more pixels, or else more bytes.
  func isLarger(than other: FeedImage) -> Bool {
    let (own, others) = (max(width, 1) * max(height, 1), max(other.width, 1) * max(other.height, 1))
    return own != others ? own > others : byteCount ?? 0 > other.byteCount ?? 0
  }
}

/// The images and files of an item, by the elements that name them.
struct FeedItem: Sendable {
  /// The maximum number of images that are kept of one item.
  private static let limit = 10_000

  private var title: String?
  /// The title of Media RSS, for an item without a title of its own.
  private var mediaTitle: String?
  var enclosures: [FeedImage] = []
  var contents: [FeedImage] = []
  var thumbnails: [FeedImage] = []
  private(set) var isInGroup = false
  private var groupCount = 0

  var isFull: Bool { enclosures.count + contents.count + thumbnails.count >= Self.limit }

  /// The number of the open group; nil outside of groups.
  var group: Int? { isInGroup ? groupCount : nil }

  mutating func beginGroup() {
    isInGroup = true
    groupCount += 1
  }

  mutating func endGroup() { isInGroup = false }

  /// Sets the title, of which the first one counts.
  mutating func setTitle(_ text: String, isMedia: Bool) {
    if isMedia {
      mediaTitle = mediaTitle ?? text
    } else {
      title = title ?? text
    }
  }

  mutating func setTitleOfLastContent(_ title: String) {
    if let last = contents.indices.last { contents[last].title = title }
  }

  /// The entries: enclosures, then the largest version of each content; the largest thumbnail only if there is
  /// nothing else.
  var entries: [MarkupEntry] {
    var images = enclosures + largestContents
    if images.isEmpty, var best = thumbnails.first {
      for image in thumbnails.dropFirst() where image.isLarger(than: best) { best = image }
      images = [best]
    }
    var seen: Set<String> = []
    return images.compactMap { image in
      guard seen.insert(image.url).inserted else { return nil }
      var entry = MarkupEntry(url: image.url)
      entry.title = image.title ?? title ?? mediaTitle
      entry.byteCount = image.byteCount
      return entry
    }
  }

  /// The contents without smaller versions of the same image: those of the same `media:group`, and outside of
  /// groups those whose URLs differ in the query alone.
  private var largestContents: [FeedImage] {
    var best: [FeedImage] = []
    var places: [String: Int] = [:]
    for image in contents {
      let key = image.group.map { "\($0)" } ?? "?" + image.path
      if let place = places[key] {
        if image.isLarger(than: best[place]) { best[place] = image }
      } else {
        places[key] = best.count
        best.append(image)
      }
    }
    return best
  }
}
