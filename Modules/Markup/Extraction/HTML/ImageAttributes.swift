/// The candidates for one image in the attributes of its elements.
struct ImageAttributes {
  private var candidates: [ImageCandidate] = []
  /// Whether a script replaces `src` by another attribute, so that `src` may be a placeholder.
  private var isLazy = false
  /// The candidates of `src`.
  private var shown: [ImageCandidate] = []
  /// The URLs in attributes for smaller versions.
  private var smaller: [String] = []

  /// The largest width of a window for which sources are made; nil unless all sources are made for windows
  /// up to a width, so that wider ones show `src`.
  private var largestWindow: Int?
  private var hasOtherSources = false

  /// The policy of the `img`, which holds for its sources, unless they have their own.
  private var referrerPolicy: String?

  /// The versions that attributes name in JSON.
  private var dataVersions: [ImageCandidate] = []

  /// All candidates, `src` only if no script replaces it.
  var all: [ImageCandidate] {
    let named = isLazy ? candidates : candidates + shown
    guard !dataVersions.isEmpty else { return named }
    // The original in such data is for the program that makes the versions of it.
    let originals = Set(named.compactMap { URLShape($0.url).innerURL })
    return named + dataVersions.filter { !originals.contains($0.url.lowercased()) }
  }

  /// The largest of all candidates; nil if there is none.
  var best: ImageCandidate? { largest() }

  /// Returns the largest of all candidates and of the version that an element around the image names; nil if there is
  /// none.
  func largest(fullSize: String? = nil) -> ImageCandidate? {
    var candidates = all
    if let fullSize { candidates.append(ImageCandidate(url: fullSize, source: .full)) }
    var best = ImageCandidate.largest(of: candidates)
    if best?.referrerPolicy == nil { best?.referrerPolicy = referrerPolicy }
    return best
  }

  /// The URLs of all versions. A `src` that a script replaces may be the placeholder of many images.
  var urls: [String] { all.map(\.url) + smaller }

  /// Adds the attributes of an `img`.
  mutating func addImage(_ attributes: AttributeMap) {
    let baseWidth = DisplayedSize(attributes).width
    referrerPolicy = ImageCandidate.referrerPolicy(of: attributes)
    for attribute in attributes.all {
      if attribute.name == "src" {
        addSource(attribute.value)
        // The source for small windows says nothing about the width of the image for large ones.
        if !hasOtherSources, let largestWindow, let baseWidth, baseWidth > largestWindow,
          !shown.isEmpty, shown[shown.count - 1].width == .unknown
        {
          shown[shown.count - 1].width = .stated(baseWidth)
        }
      } else if Self.isSet(attribute.name) {
        addSet(attribute.value, baseWidth: baseWidth)
      } else {
        addData(attribute, attributes)
      }
    }
  }

  /// Adds the attributes of a `source` in a `picture`.
  mutating func addSource(_ attributes: AttributeMap) {
    let baseWidth = attributes["media"].flatMap(Self.width(inMedia:))
    if let baseWidth, attributes["media"]?.contains("max-width") == true {
      largestWindow = max(largestWindow ?? 0, baseWidth)
    } else {
      hasOtherSources = true
    }
    let policy = ImageCandidate.referrerPolicy(of: attributes)
    for attribute in attributes.all where Self.isSet(attribute.name) {
      addSet(attribute.value, baseWidth: baseWidth, policy)
    }
  }

  /// Returns the width of the window for which a source is made, such as `(min-width: 851px)`; nil if there
  /// is none.
  private static func width(inMedia media: String) -> Int? {
    let words = media.utf8.split { !ASCII.isDigit($0) && !ASCII.isLetter($0) }
    for (word, next) in zip(words, words.dropFirst()) where word.elementsEqual("width".utf8) {
      let digits = next.prefix(while: ASCII.isDigit)
      guard (2...5).contains(digits.count), let width = Int(Substring(digits)) else { continue }
      // The size of the letters of a browser, unless a reader changes it, is 16 pixels.
      return next.suffix(2).elementsEqual("em".utf8) ? width * 16 : width
    }
    return nil
  }

  /// Adds the image files in the attributes of an element that is no image, for which a program shows them.
  mutating func addDeferred(_ attributes: AttributeMap) {
    for attribute in attributes.all {
      guard let kind = DataAttribute(attribute.name)?.kind,
        let url = Reference.cleaned(attribute.value), URLShape(url).isImageFile
      else { continue }
      candidates.append(Self.candidate(url, kind))
      if kind == .shown { isLazy = true }
    }
  }

  /// Adds the versions that an attribute names in JSON, if they are of one image.
  private mutating func addVersions(_ data: DataImages) {
    let keys = Set(data.images.map { ImageVersion($0.url).key })
    let widths = Set(data.images.compactMap(\.width))
    guard keys.count == 1 || widths.count == data.images.count && widths.count > 1 else { return }
    for image in data.images {
      var candidate = Self.candidate(image.url, .shown)
      if let width = image.width { candidate.width = .stated(width) }
      dataVersions.append(candidate)
    }
  }

  /// Adds the value of `src`.
  mutating func addSource(_ text: String) {
    if let url = Reference.cleaned(text) { shown.append(Self.candidate(url, .shown)) }
  }

  /// Adds the image that a link in the head names, and its versions.
  mutating func addPreload(_ attributes: AttributeMap) {
    referrerPolicy = ImageCandidate.referrerPolicy(of: attributes)
    addSource(AttributeMap(attributes.all.filter { $0.name == "imagesrcset" }))
    if let href = attributes["href"] { addSource(href) }
  }

  /// Whether an element other than `img` stands in the place of an image until a script replaces it.
  static func isPlaceholder(_ attributes: AttributeMap) -> Bool {
    guard let source = attributes["data-src"] ?? attributes["data-mw-src"],
      let names = attributes["class"]
    else { return false }
    let words = Words.split(names)
    return (words.contains("lazy") || words.contains("placeholder"))
      && URLShape(source).isImageFile
  }

  /// Returns the URL of a larger version that an element around an image names; nil if there is none.
  /// - Parameter isLink: Whether the element is a link, in which any attribute with an image is for a script that
  ///   shows it in place of the page.
  static func fullSize(_ attributes: AttributeMap, ofLink isLink: Bool = false) -> String? {
    for attribute in attributes.all {
      guard let kind = DataAttribute(attribute.name)?.kind,
        kind == .full || isLink || attribute.name.hasSuffix("src"),
        let url = Reference.cleaned(attribute.value), URLShape(url).isImageFile
      else { continue }
      return url
    }
    return nil
  }

  /// Returns the URL of the image file to which a script leads in place of `href`; nil if there is none.
  static func scriptedLink(_ attributes: AttributeMap) -> String? {
    for name in ["data-href", "data-url", "data-link"] {
      guard let url = attributes[name].flatMap(Reference.cleaned), URLShape(url).isImageFile else {
        continue
      }
      return url
    }
    return nil
  }

  /// Returns the URL of a background that a script loads; nil if there is none.
  static func lazyBackground(_ attributes: AttributeMap) -> String? {
    for attribute in attributes.all where DataAttribute.isBackground(attribute.name) {
      let text = BackgroundImage.url(inStyle: "background:" + attribute.value) ?? attribute.value
      if let url = Reference.cleaned(text), URLShape(url).isImageFile { return url }
    }
    return nil
  }

  private static func isSet(_ name: String) -> Bool {
    name.hasSuffix("srcset") || name.hasSuffix("src-set") || name == "data-original-set"
  }

  private static func candidate(_ url: String, _ source: ImageCandidate.Source) -> ImageCandidate {
    let pixels = ImageVersion(url).pixels
    return ImageCandidate(url: url, source: source, width: pixels.map { .hinted($0) } ?? .unknown)
  }

  private mutating func addData(_ attribute: MarkupAttribute, _ attributes: AttributeMap) {
    if attribute.name.hasPrefix("data-"), let data = DataImages(attribute.value) {
      addVersions(data)
      return
    }
    guard let kind = DataAttribute(attribute.name, isOfImage: true)?.kind else {
      if DataAttribute.isOfSmallerVersion(attribute.name),
        let url = Reference.cleaned(attribute.value), URLShape(url).isImageFile
      {
        smaller.append(url)
      }
      return
    }
    let text = Self.filled(attribute.value, attributes)
    guard let url = Reference.cleaned(text), Self.isURL(url, of: attribute.name) else { return }
    candidates.append(Self.candidate(url, kind))
    // An attribute with the full size may be there for another script than the one that replaces `src`.
    if kind == .shown { isLazy = true }
  }

  /// Whether the value of an attribute is a URL rather than a number, a name or JSON.
  private static func isURL(_ text: String, of name: String) -> Bool {
    guard !text.utf8.contains(where: { $0 == 0x20 || $0 == UInt8(ascii: "[") }) else {
      return false
    }
    if URLShape(text).isImageFile { return true }
    if Reference.isAbsolute(text) {
      return name.hasPrefix("data-")
        || ["src", "url", "original"].contains(where: name.hasSuffix)
    }
    return name.hasPrefix("data-") && (name.hasSuffix("src") || text.hasPrefix("/"))
  }

  /// Fills `{width}` with the largest of the widths in `data-widths`, or the largest usual one.
  private static func filled(_ text: String, _ attributes: AttributeMap) -> String {
    guard text.contains("{width}") else { return text }
    let widths = (attributes["data-widths"] ?? "").utf8
      .split { !ASCII.isDigit($0) }.compactMap { Int(Substring($0)) }
    return text.replacing("{width}", with: "\(widths.max() ?? 2_048)")
  }

  private mutating func addSet(
    _ text: String, baseWidth: Int?, _ referrerPolicy: String? = nil
  ) {
    let set = SourceSet(text).candidates
    // The width of the image at a density of 1.
    let base =
      set.first { ($0.density ?? 1) == 1 && $0.width == nil }
      .flatMap { ImageVersion($0.url).pixels } ?? baseWidth
    for candidate in set {
      guard let url = Reference.cleaned(candidate.url) else { continue }
      let density = min(candidate.density ?? 1, 1_000)
      let width = candidate.width ?? base.map { Int((Double($0) * density).rounded()) }
      candidates.append(
        ImageCandidate(
          url: url, width: width.map { .stated($0) } ?? .unknown, density: density,
          referrerPolicy: referrerPolicy))
    }
  }
}
