import Markup

/// Collects the images of a web page while its elements are read.
struct PageExtractor: Sendable {
  private(set) var images: [PageImage] = []
  private(set) var metadata = PageMetadata()
  private(set) var address: PageAddress
  private(set) var tree = ElementTree()
  private(set) var overlays = OverlayLinks()
  private(set) var cards = CardLinks()
  private(set) var signIn = SignInForm()
  /// The links to image files with text in them.
  private(set) var textLinks: [PageImage] = []
  /// The image files that lists for choice offer, as those of the sizes for download do.
  private(set) var offeredFiles: [String] = []
  /// The image files that the page names elsewhere than in what it shows.
  private(set) var namedFiles = NamedFiles()
  private var open: [PageElement] = []
  /// The candidates of the open `picture`; nil outside of one.
  private var picture: ImageAttributes?
  private var reader = ElementReader()
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
    let number = tree.add(in: open.last?.number)
    var element = reader.child(name, attributes, number: number, in: open)
    switch name {
    case "base":
      if let href = attributes["href"], metadata.base == nil {
        metadata.base = href
        address.setBase(href)
      }
    case "meta":
      metadata.add(name, attributes)
      addMicrodata(attributes)
    case "link":
      metadata.add(name, attributes)
      addNextPage(attributes)
      addMicrodata(attributes)
    case "title", "h1", "figcaption": text.begin(name)
    case "script":
      element.isLinkedData = attributes["type"]?.lowercased() == "application/ld+json"
      addData(ofScript: attributes)
      text.begin(name)
    case "figure":
      element.isInFigure = true
      element.isInLinkedFigure = element.link != nil
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
    // An image in a drawing (SVG 2, section 12.3).
    case "image":
      if let url = attributes["href"] ?? attributes["xlink:href"] {
        addImage(AttributeMap(attributes.all + [MarkupAttribute(name: "src", value: url)]), element)
      }
    case "option": addOfferedFile(attributes)
    case "span" where ImageAttributes.isPlaceholder(attributes): addImage(attributes, element)
    default: break
    }
    if name != "img", name != "source" {
      addBackground(attributes, element)
      element.deferred = DeferredImages(name, attributes)
      element.imageCount = images.count
      if let data = element.deferred?.data {
        for image in data { namedFiles.add(image.url) }
      }
    }
    open.append(element)
  }

  /// Records an image of the thing that the page describes, which the page need not show (HTML Standard,
  /// "microdata").
  private mutating func addMicrodata(_ attributes: AttributeMap) {
    guard let property = attributes["itemprop"], ["image", "contentUrl"].contains(property),
      let url = (attributes["content"] ?? attributes["href"]).flatMap(Reference.cleaned)
    else { return }
    namedFiles.add(url)
  }

  /// Adds the images of the data that a script has in an attribute.
  private mutating func addData(ofScript attributes: AttributeMap) {
    for attribute in attributes.all where attribute.name.hasPrefix("data-") {
      namedFiles.addScript(attribute.value)
    }
  }

  /// Adds the images of an element that ends, if a program is to put them into it.
  private mutating func addDeferred(of element: PageElement) {
    guard let deferred = element.deferred, images.count == element.imageCount else { return }
    for url in deferred.urls {
      var found = ImageAttributes()
      found.addSource(url)
      add(found, deferred.attributes, element)
    }
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
    addDeferred(of: element)
    tree.end(element.number)
    cards.end(element, in: open)
    if name == "a", let link = element.ownLink { overlays.end(link, of: element, in: open.last) }
    switch name {
    case "title", "h1", "figcaption", "script":
      if name == "h1", element.link == nil {
        for index in open.indices { open[index].hasPageHeading = true }
      }
      if let captured = text.end(name) { use(captured, of: element) }
    case "picture":
      // A picture without `img` is not shown, but a script may be about to add it.
      if let left = picture { add(left, AttributeMap([]), open.last ?? element) }
      picture = nil
    case "a":
      if let link = element.link, open.last?.link != link { addTextLink(link, element) }
    default: break
    }
  }

  private mutating func use(_ captured: String, of element: PageElement) {
    switch element.name {
    case "script":
      if element.isLinkedData {
        metadata.addLinkedData(captured)
      } else {
        namedFiles.addScript(captured)
      }
    case "figcaption":
      guard let first = open.last(where: { $0.firstImage != nil })?.firstImage,
        let caption = Words.collapsed(captured), first < images.count
      else { return }
      // A caption of several images describes none of them.
      if images[first...].count(where: { !$0.isInNoscript }) <= 1 {
        for index in first..<images.count { images[index].title = caption }
      }
    default: metadata.addTitle(captured, of: element.name)
    }
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
      url: url, title: attributes["title"],
      referrerPolicy: ImageCandidate.referrerPolicy(of: attributes),
      isExternal: address.isExternal(url),
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
    // A script replaces a small background by the image that another attribute names.
    if style != nil { found.addDeferred(attributes) }
    let size = attributes.all.filter { $0.name == "style" || $0.name == "class" }
    add(found, AttributeMap(size), element, isBackground: true)
  }

  /// Adds the image with these candidates, unless it has none.
  private mutating func add(
    _ found: ImageAttributes, _ attributes: AttributeMap, _ element: PageElement,
    isBackground: Bool = false
  ) {
    guard var best = found.largest(fullSize: element.fullSize) else { return }
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
        best = link.image
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
      context.linkDepth = URLShape(link.url).segments.count
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
    context.isWide = appearance.size.isWide || ImageVersion(image.best.url).isWide
    let isInCard = element.isInLinkedFigure && context.isWay
    context.isInText = element.isInFigure && !isInCard || element.isInParagraph
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
    let shape = URLShape(link.url)
    guard shape.isImageFile else {
      if shape.namesImageFormat, !shape.fileExtension.hasPrefix("htm"), !shape.isPageAboutFile {
        namedFiles.add(link.url)
      }
      return
    }
    guard images.last?.best.url != link.url else { return }
    let omission = max(element.omission, ImageFilter.omission(ofURL: link.url, shape: shape))
    textLinks.append(
      PageImage(
        best: link.image, versions: [link.url], title: link.title, omission: omission))
  }
}
