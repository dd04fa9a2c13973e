/// Decides whether an image is left out, by its URL and by what the page says about it.
struct ImageFilter {
  /// The properties of one image on a page.
  struct Appearance {
    /// The URL of the largest version.
    var url = ""
    var size = DisplayedSize()
    var alternativeText = ""
    var isHidden = false
    var isInFigure = false
    /// Whether a style shows the image behind an element.
    var isBackground = false
    /// The target of the link around the image; nil if there is none.
    var link: Link?

    /// Whether the image is shown so large that words of names do not make it a decoration, unless they are
    /// unambiguous.
    var isLarge: Bool { (size.width ?? 0) >= 200 && (size.height ?? 0) >= 200 }
  }

  struct Link {
    var isImage: Bool
    /// Whether the target is on another site than the page.
    var isExternal: Bool
  }

  static func omission(of image: Appearance) -> Omission {
    let shape = URLShape(image.url)
    if image.link?.isImage == true {
      // The image in the link may be any symbol of the linked file.
      return isDecoration(shape, image) ? .always : .none
    }
    if isDecoration(shape, image) || isTooSmall(image, shape) || isCounter(shape, image)
      || isSymbol(image.alternativeText)
    {
      return .always
    }
    return .none
  }

  /// Judges the URL of an image that a page does not show.
  /// - Parameters:
  ///   - isMetadata: Whether the image represents the page in social networks.
  ///   - shape: The parts of the URL, if they are known.
  static func omission(
    ofURL url: String, isMetadata: Bool = false, shape: URLShape? = nil
  ) -> Omission {
    var image = Appearance()
    image.url = url
    let shape = shape ?? URLShape(url)
    if isMetadata {
      let words = Words.withoutDigests(shape.stem).filter { Int($0) == nil }
      if words.count <= 2, words.contains(where: OmittedWords.shares.contains) { return .always }
    }
    return isDecoration(shape, image) ? .always : .none
  }

  // MARK: - The URL

  private static func isDecoration(_ shape: URLShape, _ image: Appearance) -> Bool {
    switch shape.fileExtension {
    case "ico", "cur": return true
    // Drawings in the text of an article are usually large.
    case "svg", "svgz": if !image.isInFigure && (image.size.largestSide ?? 0) < 200 { return true }
    default: break
    }
    let isDrawing = ["png", "gif", "svg"].contains(shape.fileExtension)
    if Words.split(shape.host).contains(where: OmittedWords.hosts.contains) { return true }
    if !image.isLarge,
      shape.folders.contains(where: { isDecorationFolder($0, isDrawing: isDrawing) })
    {
      return true
    }
    return isDecorationFile(
      Words.withoutDigests(shape.stem), image, isDrawing: isDrawing,
      isGIF: shape.fileExtension == "gif")
  }

  private static func isDecorationFolder(_ folder: URLShape.Bytes, isDrawing: Bool) -> Bool {
    let words = Words.split(folder)
    return words.count <= 3 && words.contains(where: OmittedWords.folders.contains)
      || isDrawing && words.count <= 2
        && words.contains(where: OmittedWords.drawingFolders.contains)
  }

  /// - Parameter isDrawing: Whether the file is of a format that is rare for photographs.
  private static func isDecorationFile(
    _ words: [String], _ image: Appearance, isDrawing: Bool, isGIF: Bool
  ) -> Bool {
    let letters = words.filter { Int($0) == nil }
    // The names of photographs are long, and may have any words.
    if letters.count <= 4, letters.contains(where: OmittedWords.files.contains) {
      return true
    }
    if image.isLarge { return letters.count <= 2 && letters.contains("logo") }
    if letters.count <= (isDrawing ? 4 : 2),
      letters.contains(where: OmittedWords.shortFiles.contains)
    {
      return true
    }
    if image.isBackground, words.contains(where: OmittedWords.backgrounds.contains) { return true }
    if isDrawing, namesSmallSize(words) { return true }
    let pairs = zip(words, words.dropFirst()).map { $0 + " " + $1 }
    if letters.count <= 4, pairs.contains(where: OmittedWords.decorationPairs.contains) {
      return true
    }
    // Few photographs are GIF files.
    let limit = isGIF ? 2 : isDrawing ? 1 : 0
    return letters.count <= limit && letters.contains(where: OmittedWords.drawings.contains)
  }

  /// Whether the words have a size such as `11x11`.
  private static func namesSmallSize(_ words: [String]) -> Bool {
    zip(words, zip(words.dropFirst(), words.dropFirst(2))).contains { first, others in
      guard others.0 == "x", let width = Int(first), let height = Int(others.1) else {
        return false
      }
      return max(width, height) < 64 || height <= 40 && width <= 200
    }
  }

  // MARK: - The display

  /// The standard sizes of advertisements (IAB).
  private static let advertisementSizes: Set<[Int]> = [
    [728, 90], [468, 60], [300, 250], [336, 280], [160, 600], [120, 600], [320, 50], [970, 250],
    [970, 90],
    [300, 600], [234, 60], [125, 125],
  ]

  private static func isTooSmall(_ image: Appearance, _ shape: URLShape) -> Bool {
    let size = image.size
    if let smallest = size.smallestSide, smallest <= 3 { return true }
    if let width = size.width, let height = size.height {
      if max(width, height) < 64 || height <= 40 && width <= 200 { return true }
      // Lines between paragraphs.
      if min(width, height) <= 20, max(width, height) >= 12 * min(width, height) { return true }
      if image.link?.isExternal == true, advertisementSizes.contains([width, height]) {
        return true
      }
    } else if let side = size.largestSide {
      if side < 48 { return true }
    } else if let pixels = ImageVersion(shape).pixels, pixels < 64 {
      return true
    }
    return false
  }

  /// Whether the image counts visitors.
  private static func isCounter(_ shape: URLShape, _ image: Appearance) -> Bool {
    let isGIF = shape.fileExtension == "gif"
    if !isGIF, URLShape.photoExtensions.contains(shape.fileExtension) { return false }
    if isGIF || image.isHidden { return image.isHidden }
    return shape.segments.contains {
      Words.split($0).contains(where: OmittedWords.counters.contains)
    }
      || shape.parameters.contains { OmittedWords.counters.contains($0.name) }
  }

  /// Whether the text is that of a symbol: a word such as "logo" with at most three others before it, or a few
  /// characters without letters, such as ":)".
  private static func isSymbol(_ text: String) -> Bool {
    guard !text.isEmpty, text.utf8.count <= 80 else { return false }
    let words = Words.split(text)
    if words.isEmpty { return text.unicodeScalars.count <= 4 }
    if words.count <= 2, text.unicodeScalars.allSatisfy({ $0.properties.isEmojiPresentation }) {
      return true
    }
    return words.count <= 4 && words.last.map(symbolTexts.contains) == true
  }

  private static let symbolTexts: Set<String> = [
    "avatar", "logo", "icon", "emoji", "smiley", "advertisement", "captcha", "counter", "spacer",
    "sponsor",
    "badge", "favicon",
  ]
}
