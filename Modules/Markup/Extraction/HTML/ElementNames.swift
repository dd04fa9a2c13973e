/// The reasons to leave out the images in an element, from its names and its role.
struct ElementNames: Equatable {
  /// The omission of all images in the element.
  var ofDescendants = Omission.none
  /// The omission of an image that has these names.
  var ofImage = Omission.none
  /// The omission of an image that the element holds directly, or through at most one other element.
  var ofChild = Omission.none
  /// Whether the element has navigation, as far as its name tells.
  var isNavigation = false
  /// Whether the element is a banner or a header of the site if it is not in the contents of the page.
  var isSiteHeader = false
  /// Whether a click on the element shows a larger version of the image.
  var isLightbox = false
  /// Whether one of the names says that the element has the contents, such as `entry-content`, so that
  /// another with the word `ad` is for the script that puts advertisements into them.
  private var isNamedContents = false

  /// - Parameter names: The values of `class` and `id`, and similar attributes, separated by spaces.
  init(_ names: some StringProtocol) {
    let names = names.utf8.split(whereSeparator: { $0 <= 0x20 }).map { Words.withoutDigests($0) }
    isNamedContents = names.contains { words in
      words.last.map(["content", "contents"].contains) == true
        && !words.contains(where: OmittedWords.classifieds.contains)
        && !words.contains(where: OmittedWords.advertisements.contains)
    }
    for words in names { add(words) }
  }

  init() {}

  private mutating func add(_ words: [String]) {
    // A name such as `icon-inline-none` says what the element is not.
    guard let first = words.first, !OmittedWords.subjects.contains(first), words.last != "none"
    else { return }
    let pairs = zip(words, words.dropFirst()).map { $0 + " " + $1 }
    let describesLayout = words.contains(where: OmittedWords.layouts.contains)
    let namesContents = words.contains(where: OmittedWords.contents.contains)
    if pairs.contains(where: OmittedWords.decorationPairs.contains) {
      ofImage = .always
      ofChild = .always
    }
    if !describesLayout {
      let isWrapper = words.contains(where: OmittedWords.wrappers.contains)
      if isWrapper || words.contains(where: OmittedWords.decorations.contains) { ofImage = .always }
      if isWrapper, !namesContents { ofChild = .always }
    }
    if words.contains(where: Self.lightboxes.contains)
      || pairs.contains(where: Self.lightboxes.contains)
    {
      isLightbox = true
    }
    if words.contains(where: OmittedWords.advertisements.contains) {
      ofImage = .always
      ofDescendants = .always
    }
    if !describesLayout, !namesContents, words.count <= 2,
      words.contains(where: OmittedWords.maps.contains)
    {
      ofChild = max(ofChild, .byPlace)
    }
    guard !describesLayout, !isWrapper(words) else { return }
    if words.contains("banner") || isHeader(words) { isSiteHeader = true }
    // A site of classified advertisements has its contents in elements such as `ad-gallery`.
    if words.contains(where: OmittedWords.navigation.contains),
      !Self.isTargetOfNavigation(words)
    {
      isNavigation = true
    }
    if !namesContents && !isNamedContents
      && words.contains(where: OmittedWords.classifieds.contains)
      || words.contains(where: Self.isPlace) && !Self.isFootOfNumbered(words)
      || words == ["side"]
      || words.contains(where: { $0.hasPrefix("related") })
      || pairs.contains(where: OmittedWords.placePairs.contains)
    {
      ofDescendants = max(ofDescendants, .byPlace)
    }
  }

  /// Whether the name is that of an element around both the contents and something else, such as
  /// `content-sidebar-wrap`.
  private func isWrapper(_ words: [String]) -> Bool {
    words.count > 1 && !OmittedWords.places.contains(words[0])
      && !OmittedWords.navigation.contains(words[0])
      && words.contains { ["wrap", "wrapper", "layout", "container", "page"].contains($0) }
      && !words.contains("header")
  }

  /// Whether a word is that of a place, or ends with a long one, as `postsignature` does.
  private static func isPlace(_ word: String) -> Bool {
    OmittedWords.places.contains(word)
      || OmittedWords.placeEndings.contains { word.hasSuffix($0) && word.utf8.count <= 20 }
  }

  /// Whether the name is that of the foot of one of several numbered things, such as `msg_123_footer`, in
  /// contrast to that of the page.
  private static func isFootOfNumbered(_ words: [String]) -> Bool {
    words.count > 2 && words.last == "footer"
      && words.dropFirst().dropLast().contains { Int($0) != nil }
      && !words.dropLast().contains(where: isPlace)
  }

  /// Whether a name such as `nav-reviews` is that of a place to which the navigation of the page leads.
  private static func isTargetOfNavigation(_ words: [String]) -> Bool {
    words.count == 2 && words[0] == "nav" && !OmittedWords.navigationParts.contains(words[1])
      && !OmittedWords.headerQualifiers.contains(words[1])
      && !OmittedWords.places.contains(words[1])
      && !OmittedWords.navigation.contains(words[1])
  }

  private func isHeader(_ words: [String]) -> Bool {
    words.contains { $0.hasPrefix("header") }
      && words.allSatisfy { OmittedWords.headerQualifiers.contains($0) || Int($0) != nil }
  }

  /// Words, and pairs of words, that scripts which show large versions of images look for.
  private static let lightboxes: Set<String> = [
    "lightbox", "light box", "lb image", "lb trigger", "fancybox", "colorbox", "jcepopup",
    "magnific",
    "photoswipe", "photo swipe", "swipebox", "prettyphoto", "pretty photo", "highslide", "thickbox",
    "lightgallery", "glightbox", "imageanchor",
  ]
}
