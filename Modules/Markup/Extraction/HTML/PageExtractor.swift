import Markup

/// Collects the images of a web page while its elements are read.
struct PageExtractor: Sendable {
  private(set) var images: [PageImage] = []
  private(set) var metadata = PageMetadata()
  private(set) var address: PageAddress
  private(set) var tree = ElementTree()
  private(set) var overlays = OverlayLinks()
  private(set) var signIn = SignInForm()
  /// The links to image files with text in them.
  private(set) var textLinks: [PageImage] = []
  /// The image files that lists for choice offer, as those of the sizes for download do.
  private(set) var offeredFiles: [String] = []
  private var open: [PageElement] = []
  /// The candidates of the open `picture`; nil outside of one.
  private var picture: ImageAttributes?
  /// The names of elements that were read before, because most pages repeat them.
  private var knownNames: [String: ElementNames] = [:]
  private var text = TextCapture()

  init(url: String?) { address = PageAddress(url) }

  mutating func handle(_ event: MarkupEvent) {
    switch event {
    case .start(let name, _, let attributes):
      signIn.start(name, AttributeMap(attributes))
      start(name, AttributeMap(attributes))
    case .text(let characters):
      signIn.addText(characters)
      overlays.addText(characters)
      text.append(characters)
    case .end(let name):
      signIn.end(name)
      end(name)
    }
  }

  // MARK: - Elements

  private mutating func start(_ name: String, _ attributes: AttributeMap) {
    overlays.addElement()
    var element = child(name, attributes)
    switch name {
    case "base":
      if let href = attributes["href"], metadata.base == nil {
        metadata.base = href
        address.setBase(href)
      }
    case "meta": metadata.add(name, attributes)
    case "link":
      metadata.add(name, attributes)
      addNextPage(attributes)
    case "title", "h1", "figcaption": text.begin(name)
    case "script":
      if attributes["type"]?.lowercased() == "application/ld+json" { text.begin(name) }
    case "figure":
      element.isInFigure = true
      element.firstImage = images.count
    case "noscript": element.isInNoscript = true
    case "p": element.isInParagraph = true
    case "button": element.isInButton = true
    case "picture": picture = ImageAttributes()
    case "source": picture?.addSource(attributes)
    case "a":
      addNextPage(attributes)
      element.ownLink = link(attributes)
      element.link = element.ownLink ?? element.link
      overlays.begin()
    case "img", "amp-img", "amp-anim": addImage(attributes, element)
    case "option": addOfferedFile(attributes)
    case "span" where ImageAttributes.isPlaceholder(attributes): addImage(attributes, element)
    default: break
    }
    if name != "img", name != "source" { addBackground(attributes, element) }
    open.append(element)
  }

  /// Uses the first link to a page that continues this one.
  private mutating func addNextPage(_ attributes: AttributeMap) {
    guard metadata.nextPage == nil, PageMetadata.relations(attributes).contains("next"),
      let reference = attributes["href"].flatMap(Reference.cleaned),
      address.isContinued(at: reference)
    else { return }
    metadata.nextPage = reference
  }

  private mutating func addOfferedFile(_ attributes: AttributeMap) {
    guard offeredFiles.count < LinkedVersions.fileLimit,
      let url = attributes["value"].flatMap(Reference.cleaned), URLShape(url).isImageFile
    else { return }
    offeredFiles.append(url)
  }

  private mutating func end(_ name: String) {
    guard let element = open.popLast() else { return }
    tree.end(element.number)
    if name == "a", let link = element.ownLink { overlays.end(link, of: element, in: open.last) }
    switch name {
    case "title", "h1", "figcaption", "script":
      if name == "h1", element.link == nil {
        for index in open.indices { open[index].hasPageHeading = true }
      }
      if let captured = text.end(name) { use(captured, of: name) }
    case "picture":
      // A picture without `img` is not shown, but a script may be about to add it.
      if let left = picture { add(left, AttributeMap([]), open.last ?? element) }
      picture = nil
    case "a":
      if let link = element.link, open.last?.link != link { addTextLink(link, element) }
    default: break
    }
  }

  private mutating func use(_ captured: String, of name: String) {
    switch name {
    case "script": metadata.addLinkedData(captured)
    case "figcaption":
      guard let first = open.last(where: { $0.firstImage != nil })?.firstImage,
        let caption = Words.collapsed(captured), first < images.count
      else { return }
      // A caption of several images describes none of them.
      if images[first...].count(where: { !$0.isInNoscript }) <= 1 {
        for index in first..<images.count { images[index].title = caption }
      }
    default: metadata.addTitle(captured, of: name)
    }
  }

  /// Returns the element with what it inherits and what its own name and attributes say.
  private mutating func child(_ name: String, _ attributes: AttributeMap) -> PageElement {
    var element = PageElement(name: name)
    element.number = tree.add(in: open.last?.number)
    if let parent = open.last {
      element.omission = parent.omission
      element.isInContents = parent.isInContents
      element.isInNoscript = parent.isInNoscript
      element.isInNavigation = parent.isInNavigation
      element.isInFigure = parent.isInFigure
      element.isInParagraph = parent.isInParagraph
      element.isInButton = parent.isInButton
      element.link = parent.link
      element.fullSize = parent.fullSize
      element.distance = parent.distance + 1
      if element.distance <= 2 { element.ofChild = parent.ofChild }
    }
    let names = names(of: name, attributes)
    // The name of an element with all contents says nothing about one image.
    if names.ofChild != .none, !["article", "main", "body", "html"].contains(name) {
      element.ofChild = names.ofChild
      element.distance = 0
    }
    element.ofSelf = names.ofImage
    element.isNamedBanner = names.isSiteHeader
    let role = attributes["role"]
    if name == "main" || role == "main" {
      element.omission = .none
      element.isInNavigation = false
      element.isInContents = true
    } else if name != "html", name != "body" {
      element.omission = max(element.omission, names.ofDescendants)
      if names.isNavigation { element.isInNavigation = true }
    }
    if name == "article" {
      // Some styles name columns by their places, and have the contents in one of them.
      if element.omission == .byPlace, let place = open.first(where: { $0.omission == .byPlace }),
        place.hasPageHeading, place.isNamedPlace
      {
        element.omission = .none
      }
      element.isInContents = true
    }
    if Self.isPlace(name, role: role, isInContents: element.isInContents)
      || names.isSiteHeader && !element.isInContents && name != "body" && name != "html"
    {
      element.omission = max(element.omission, .byPlace)
    }
    if name != "img", name != "span" || !ImageAttributes.isPlaceholder(attributes),
      let url = ImageAttributes.fullSize(attributes)
    {
      element.fullSize = url
    }
    return element
  }

  /// Whether the element holds no contents by its meaning (HTML Standard, sections 4.3; WAI-ARIA
  /// landmarks).
  private static func isPlace(_ name: String, role: String?, isInContents: Bool) -> Bool {
    switch name {
    case "nav", "footer": return true
    // Another role, such as `region`, replaces the meaning of the element (ARIA in HTML).
    case "aside" where role == nil: return true
    case "header": return !isInContents
    default: break
    }
    switch role {
    case "navigation", "contentinfo", "complementary", "search": return true
    case "banner": return !isInContents
    default: return false
    }
  }

  /// The maximum number of names that are remembered.
  private static let knownNameLimit = 10_000

  private mutating func names(of name: String, _ attributes: AttributeMap) -> ElementNames {
    var text = ""
    for attribute in attributes.all {
      switch attribute.name {
      case "class", "id", "data-test-id", "data-testid", "data-elementor-type":
        text += text.isEmpty ? attribute.value : " " + attribute.value
      case "rel" where name == "a": text += " " + attribute.value
      default: break
      }
    }
    guard !text.isEmpty else { return ElementNames() }
    if let known = knownNames[text] { return known }
    let names = ElementNames(text.prefix(2_000))
    if knownNames.count < Self.knownNameLimit { knownNames[text] = names }
    return names
  }

  // MARK: - Images

  private func link(_ attributes: AttributeMap) -> PageLink? {
    guard
      let url = attributes["href"].flatMap(Reference.cleaned)
        ?? ImageAttributes.scriptedLink(attributes)
    else {
      return attributes["href"].flatMap(PageRelation.init(ofAddress:)).map {
        PageLink(
          url: "", isExternal: false, isLightbox: false, isAdvertisement: false, relation: $0)
      }
    }
    let names = ElementNames((attributes["class"] ?? "") + " " + (attributes["rel"] ?? ""))
    let isMarked = attributes.all.contains {
      [
        "data-fancybox", "data-lightbox", "data-pswp-width", "data-size", "data-fslightbox",
        "imageanchor",
      ]
      .contains($0.name)
    }
    return PageLink(
      url: url, title: attributes["title"], isExternal: address.isExternal(url),
      isLightbox: isMarked || names.isLightbox,
      isAdvertisement: names.ofDescendants == .always, relation: address.relation(of: url))
  }

  private mutating func addImage(_ attributes: AttributeMap, _ element: PageElement) {
    var found = picture ?? ImageAttributes()
    found.addImage(attributes)
    if picture != nil { picture = ImageAttributes() }
    add(found, attributes, element)
  }

  private mutating func addBackground(_ attributes: AttributeMap, _ element: PageElement) {
    let style = attributes["style"]
    guard
      let text = style.flatMap(BackgroundImage.url(inStyle:))
        ?? ImageAttributes.lazyBackground(attributes),
      let url = Reference.cleaned(text), element.name != "body", element.name != "html"
    else { return }
    overlays.addElement()
    var found = ImageAttributes()
    found.addSource(url)
    let size = attributes.all.filter { $0.name == "style" || $0.name == "class" }
    add(found, AttributeMap(size), element, isBackground: true)
  }

  /// Adds the image with these candidates, unless it has none.
  private mutating func add(
    _ found: ImageAttributes, _ attributes: AttributeMap, _ element: PageElement,
    isBackground: Bool = false
  ) {
    var candidates = found.all
    if let url = element.fullSize { candidates.append(ImageCandidate(url: url, source: .full)) }
    guard var best = ImageCandidate.largest(of: candidates) else { return }
    var appearance = ImageFilter.Appearance()
    appearance.url = best.url
    appearance.size = DisplayedSize(attributes)
    appearance.alternativeText = Words.collapsed(attributes["alt"] ?? "") ?? ""
    appearance.isHidden = Self.isHidden(attributes)
    appearance.isInFigure = element.isInFigure
    appearance.isBackground = isBackground
    var versions = found.urls
    var isLinked = false
    if let link = element.link {
      isLinked = leadsToImage(link, from: found)
      appearance.link = ImageFilter.Link(isImage: isLinked, isExternal: link.isExternal)
      if isLinked {
        best = ImageCandidate(url: link.url, source: .link)
        appearance.url = link.url
      }
    }
    versions.append(best.url)
    var omission = max(element.omission, ImageFilter.omission(of: appearance))
    // A symbol may stand for the linked image.
    if !isLinked { omission = max(omission, element.ofImage(isLarge: appearance.isLarge)) }
    if element.isInNavigation, !isLinked { omission = max(omission, .byPlace) }
    if element.link?.isAdvertisement == true { omission = .always }
    var image = PageImage(
      best: best, versions: versions, title: title(attributes, element, isLinked: isLinked),
      omission: omission, isInNoscript: element.isInNoscript)
    image.context = context(of: image, appearance, attributes, element)
    image.context.hasLargerVersion = isLinked
    images.append(image)
  }

  private func context(
    of image: PageImage, _ appearance: ImageFilter.Appearance, _ attributes: AttributeMap,
    _ element: PageElement
  ) -> ImageContext {
    var context = ImageContext()
    if let link = element.link, appearance.link?.isImage == false {
      context.link = link.relation
      if link.relation == .other || link.relation == .elsewhere {
        let shared = link.identifiers
        context.sharesIdentifier =
          !shared.isEmpty
          && image.versions.contains { !URLShape($0).identifiers.isDisjoint(with: shared) }
      }
      context.isFromLinkedSite =
        link.relation == .elsewhere && !context.sharesIdentifier
        && (address.isSameOtherSite(link.url, image.best.url)
          || URLShape(image.best.url).innerURL.map { address.isSameOtherSite(link.url, $0) }
            == true)
      context.leadsToSameTemplate = address.hasTemplateOfPage(link.url)
    }
    context.isOnOtherSite = address.isExternal(image.best.url)
    context.isWide = appearance.size.isWide
    context.isInText = element.isInFigure || element.isInParagraph
    context.isMap = attributes["usemap"] != nil
    context.isInButton = element.isInButton
    context.statesLargeSize = (appearance.size.smallestSide ?? 0) >= 400
    context.isNamedBanner = element.name == "img" && element.isNamedBanner
    // The size of a preview says nothing about the image.
    if image.best.source == .shown {
      context.shownSide = appearance.size.largestSide ?? ImageVersion(image.best.url).pixels
    }
    context.isBackground = appearance.isBackground
    let format = URLShape(image.best.url).fileExtension
    context.isDrawing = format == "gif" || format == "svg"
    context.isPossibleDrawing = context.isDrawing || format == "png"
    context.isDrawingInLink = appearance.link?.isImage == false && context.isDrawing
    context.isInMainElement = element.isInContents
    context.isInNoscript = element.isInNoscript
    context.path = path(of: element)
    context.element = element.number
    return context
  }

  /// Returns the names of the closest elements around an image, whose links count by their relation.
  private func path(of element: PageElement) -> String {
    var names = open.suffix(4).map(\.name)
    if open.last?.number != element.number { names.append(element.name) }
    return names.joined(separator: ">")
  }

  /// Whether a link around an image leads to a larger version of it: to an image file, to what a script
  /// shows in front of the page, or to another version by the same program.
  private func leadsToImage(_ link: PageLink, from found: ImageAttributes) -> Bool {
    let target = URLShape(link.url)
    if target.isImageFile { return true }
    if link.isLightbox, target.namesImageFormat, !target.fileExtension.hasPrefix("htm") {
      return true
    }
    return found.urls.contains { URLShape($0).isVersion(of: target) }
  }

  private static func isHidden(_ attributes: AttributeMap) -> Bool {
    guard let style = attributes["style"]?.lowercased().filter({ !$0.isWhitespace }) else {
      return attributes["hidden"] != nil
    }
    return style.contains("display:none") || style.contains("visibility:hidden")
      || style.contains("left:-")
  }

  private func title(
    _ attributes: AttributeMap, _ element: PageElement, isLinked: Bool
  ) -> String? {
    for text in [attributes["alt"], attributes["title"], isLinked ? element.link?.title : nil] {
      if let text, let title = Words.collapsed(text) { return title }
    }
    return nil
  }

  private mutating func addTextLink(_ link: PageLink, _ element: PageElement) {
    guard URLShape(link.url).isImageFile,
      images.last?.best.url != link.url
    else { return }
    let omission = max(element.omission, ImageFilter.omission(ofURL: link.url))
    textLinks.append(
      PageImage(
        best: ImageCandidate(url: link.url, source: .link), versions: [link.url], title: link.title,
        omission: omission))
  }
}
