/// Weighs the evidence that an image belongs to the contents of a page.
///
/// The images that are not previews of other pages are the page's own. The largest number of them with the same
/// elements around them are its main images, and the smallest element with all of these holds its contents. A page
/// without images of its own, or with one and many previews, is a listing, whose previews are its contents.
struct ImageRelevance {
  /// An image whose evidence is weighed.
  struct Subject {
    var context: ImageContext
    /// Whether the page names the image as its own.
    var representsPage = false
    /// Whether the page shows the image several times.
    var isRepeated = false
    /// The host and the folders of the URL without digits and digests.
    var folder: [UInt8] = []
    /// The folder with the name of the program that makes the image; nil for a file.
    var program: [UInt8]?
    /// The host of the URL without digits.
    var host: ArraySlice<UInt8> { folder.prefix { $0 != UInt8(ascii: "/") } }
    /// The part of the host that the hosts of a site have in common.
    var site: ArraySlice<UInt8> {
      let labels = host.split(separator: UInt8(ascii: ".")).suffix(2)
      return host.suffix(labels.reduce(0) { $0 + $1.count + 1 })
    }
  }

  private let subjects: [Subject]
  private let isListing: Bool
  let ownCount: Int
  private let namesOwnImage: Bool
  /// The numbers of previews by the elements around them.
  private let previews: [String: Int]
  /// The index of the last image of the contents; nil if the page has no own images.
  private let lastOwn: Int?
  /// The indices of the main images, or of the largest number of similar previews.
  let mainIndices: Set<Int>
  /// The elements around images in formats of photographs.
  private let photographPaths: Set<String>
  /// The folders of at least three drawings and of no photograph.
  private let menuFolders: Set<[UInt8]>
  /// Whether most previews of a listing lead to pages of another template than that of the page.
  private let leadsToOtherTemplate: Bool
  /// Whether the page has at least as many larger images as small ones that lead nowhere, or own ones that
  /// are not small.
  private let hasLargerImages: Bool
  /// Whether a preview is not shown small.
  private let hasLargerPreviews: Bool
  private let contents: ElementTree.Contents?
  private let mainImages: MainImages
  /// The properties that most previews of a page without own images have in common; nil for another page.
  private let mainPreviews: MainPreviews?
  /// Whether the only own image is at least twice as large as the previews, and has not the form of a banner.
  private let hasMuchLargerImage: Bool
  /// The number of images in links to other sites, and whether a main image is one.
  private let elsewhereCount: Int
  private let leadsElsewhere: Bool
  /// The folders of the main images.
  private let mainFolders: Set<[UInt8]>

  /// The number of previews from which a page with one image of its own may be a listing.
  private static let listingCount = 4

  /// - Parameters:
  ///   - subjects: The images of the page that nothing else speaks against, in document order.
  ///   - tree: The elements of the page.
  ///   - isAboutThing: Whether the page says that it is about one thing, such as an article or a product.
  init(_ subjects: [Subject], _ tree: ElementTree, isAboutThing: Bool) {
    let viewed = Self.viewedImage(of: subjects)
    let subjects = Self.marking(viewed, in: subjects)
    self.subjects = subjects
    let possible = subjects.indices.filter {
      let context = subjects[$0].context
      return context.isOwn && !context.isSmall && (viewed == nil || viewed == $0)
    }
    // A script may show images that the page itself has only for browsers without scripts.
    let visible = possible.filter { !subjects[$0].context.isInNoscript }
    let own = visible.isEmpty && possible.count > 2 ? possible : visible
    ownCount = own.count
    namesOwnImage = own.contains { subjects[$0].representsPage }
    var previews: [String: Int] = [:]
    for subject in subjects where subject.context.isPreview {
      previews[subject.context.path, default: 0] += 1
    }
    let sameTemplate = subjects.count {
      $0.context.isPreview && $0.context.leadsToSameTemplate
    }
    leadsToOtherTemplate = sameTemplate < previews.values.reduce(0, +) - sameTemplate
    let larger = subjects.count { !$0.context.isSmall && !$0.context.isInNoscript }
    hasLargerImages =
      !own.isEmpty
      || larger > 0 && larger >= subjects.count { $0.context.isSmall && $0.context.isOwn }
    self.previews = previews
    var listed = previews
    let photographs = subjects.filter {
      !$0.context.isDrawing && ($0.context.isPreview || $0.context.isOwn)
    }
    let photographPaths = Set(photographs.map(\.context.path))
    self.photographPaths = photographPaths
    let drawings = subjects.lazy.filter(\.context.isDrawing).map { ($0.folder, 1) }
    menuFolders = Set(Dictionary(drawings, uniquingKeysWith: +).filter { $0.value >= 3 }.keys)
      .subtracting(photographs.map(\.folder))
    if own.count == 1, let side = subjects[own[0]].context.shownSide, side >= 300,
      !subjects[own[0]].context.isDrawing
    {
      // Drawings that lead to other pages are the menu beside one photograph.
      listed = previews.filter { photographPaths.contains($0.key) }
    }
    let isConfirmed = namesOwnImage || isAboutThing
    // The recommendations of a page about one thing lead to pages of its own template.
    let leadsToLikeThings =
      isAboutThing && subjects.allSatisfy { !$0.context.isPreview || $0.context.link == .similar }
    isListing =
      own.isEmpty && !leadsToLikeThings
      || own.count == 1 && !isConfirmed && listed.values.contains { $0 >= Self.listingCount }
    let previewIndices = subjects.indices.filter { subjects[$0].context.isPreview }
    // Beside an image of the page's own, links to pages of its template are no listing.
    let listedCount = previewIndices.count {
      ![.similar, .possiblySimilar].contains(subjects[$0].context.link)
    }
    let isOfPreviews =
      own.isEmpty
      || isListing && listedCount >= Self.listingCount
        && !subjects[own[0]].context.hasLargerVersion
    let candidates = isOfPreviews ? previewIndices : own
    let mainPath = Self.mainPath(of: candidates.map { subjects[$0] })
    let main = candidates.filter { Self.path(of: subjects[$0]) == mainPath }
    mainPreviews = isOfPreviews ? MainPreviews(main.map { subjects[$0] }) : nil
    hasLargerPreviews = previewIndices.contains { !subjects[$0].context.isNarrow }
    let ownSide = own.count == 1 ? subjects[own[0]].context.shownSide ?? 0 : 0
    let previewSide = previewIndices.compactMap { subjects[$0].context.shownSide }.max() ?? .max
    hasMuchLargerImage =
      own.count == 1 && !subjects[own[0]].context.isWide && previewSide <= ownSide / 2
    let contents = tree.contents(of: main.map { subjects[$0].context.element })
    mainIndices = Set(main)
    mainFolders = Set(main.map { subjects[$0].folder })
    mainImages = MainImages(main.map { subjects[$0] })
    let isCertain = main.count > 1 || main.contains { subjects[$0].representsPage }
    self.contents = isCertain && !(isOfPreviews && main.count < 3) ? contents : nil
    elsewhereCount = subjects.count {
      $0.context.link == .elsewhere && !$0.context.sharesIdentifier
    }
    leadsElsewhere = main.contains { subjects[$0].context.link == .elsewhere }
    lastOwn = own.last { contents?.contains(subjects[$0].context.element) == true }
  }

  /// Returns the images, the viewed one as that of the page, which leads nowhere.
  private static func marking(_ viewed: Int?, in subjects: [Subject]) -> [Subject] {
    guard let viewed else { return subjects }
    var subjects = subjects
    subjects[viewed].context.link = nil
    subjects[viewed].representsPage = true
    return subjects
  }

  /// Returns the index of the only large image beside buttons, in a link to another page of the site: such
  /// a page views an image, and leads to the next one. Nil if there is none.
  private static func viewedImage(of subjects: [Subject]) -> Int? {
    let large = subjects.indices.filter {
      let context = subjects[$0].context
      return !context.mayBeButton && !context.isWide && context.link != .home
        && context.link != .elsewhere
    }
    guard large.count == 1, let index = large.first, subjects[index].context.link?.isOfSite == true,
      subjects[index].context.statesLargeSize || subjects[index].representsPage
    else { return nil }
    return index
  }

  /// Returns the elements around most of the images, of equal numbers those around the first; nil without
  /// images.
  private static func mainPath(of images: [Subject]) -> String? {
    // Beside images in the text of the main element, others outside of it are not the main ones.
    let hasText = images.contains { $0.context.isInText && $0.context.isInMainElement }
    let images = hasText ? images.filter(\.context.isInMainElement) : images
    var counts: [String: Int] = [:]
    for image in images { counts[path(of: image), default: 0] += 1 }
    guard let most = counts.values.max() else { return nil }
    if most == 1, let named = images.first(where: \.representsPage) {
      return path(of: named)
    }
    return images.first { counts[path(of: $0)] == most }.map(path)
  }

  /// Returns the elements around an image, with what they lead to.
  private static func path(of image: Subject) -> String {
    image.context.path + (image.context.hasLargerVersion ? ">version" : "")
  }

  /// Whether the page names the image with an index in `subjects` as its own.
  func representsPage(_ index: Int) -> Bool { subjects[index].representsPage }

  /// Whether the image with an index in `subjects` is left out.
  func isOmitted(_ index: Int) -> Bool {
    evidence(for: index).reduce(0) { $0 &+ $1.weight } <= ImageEvidence.limit
  }

  func evidence(for index: Int) -> Set<ImageEvidence> {
    let subject = subjects[index]
    let context = subject.context
    var evidence: Set<ImageEvidence> = []
    if context.hasLargerVersion { evidence.insert(.linksToLargerVersion) }
    if subject.representsPage { evidence.insert(.representsPage) }
    if context.sharesIdentifier { evidence.insert(.sharesIdentifierWithLink) }
    let isSmallBesideLarger = context.isSmall && context.isOwn && hasLargerImages
    let isDrawingOutside = isDrawingOutside(context)
    if context.isInText, !isOutside(context), !isSmallBesideLarger, !isDrawingOutside {
      evidence.insert(.isInText)
    }
    if isDrawingOutside { evidence.insert(.isDrawingOutside) }
    if context.isPossibleDrawing, !isDrawingOutside, context.shownSide == nil,
      context.isWithoutLink, mainImages.areSeveral, !mainImages.arePossibleDrawings,
      contents?.contains(context.element) == false
    {
      evidence.insert(.isPossibleDrawingOutside)
    }
    if context.isMap { evidence.insert(.isMap) }
    if context.isInCard { evidence.insert(.isInCard) }
    if context.isNamedBanner { evidence.insert(.isNamedBanner) }
    if context.isFromLinkedSite { evidence.insert(.comesFromLinkedSite) }
    if let link = context.link.flatMap(Self.evidence) { evidence.insert(link) }
    if context.isSmall {
      evidence.insert(isSmallBesideLarger ? .isSmallBesideLarger : .isSmall)
    } else if context.isNarrow {
      evidence.insert(.isNarrow)
    }
    if context.isDrawingInLink { evidence.insert(.isDrawingInLink) }
    if subject.isRepeated { evidence.insert(.isRepeated) }
    if follows(index) { evidence.insert(.followsContents) }
    let isSingle = mainPreviews == nil || previews[context.path, default: 0] < 2
    if !mainIndices.contains(index), isSingle { evidence.formUnion(differences(of: subject)) }
    if isListing || mainImages.areSeveral && mainImages.leadToPages, context.isWithoutLink,
      let contents,
      context.element < contents.range.lowerBound
    {
      evidence.insert(.leadsNowhereBeforeListing)
    }
    if leadsElsewhereAlone(subject) { evidence.insert(.leadsElsewhereAlone) }
    if context.isPreview {
      if previews[context.path, default: 0] >= 3 { evidence.insert(.isRepeatedPreview) }
      if namesOwnImage { evidence.insert(.leadsAwayFromNamedImage) }
      if mainPreviews?.isUnlike(subject) == true {
        evidence.insert(.isUnlikePreviews)
      } else if isListing, !evidence.contains(.isBannerBeforeContents),
        ownCount == 0 || context.link != .similar,
        !hasMuchLargerImage || context.link != .possiblySimilar,
        !leadsToOtherTemplate || !context.leadsToSameTemplate, !isInMenu(subject)
      {
        evidence.insert(.isInListing)
      }
    } else if context.link == .elsewhere, ownCount == 0, context.isOnOtherSite,
      !context.isNarrow || !hasLargerPreviews
    {
      // A page may have all its images at a host of images, in links to their pages there.
      evidence.insert(.isInListing)
    }
    return evidence
  }

  /// Whether the image is one of few that lead to another site, which no main image does.
  private func leadsElsewhereAlone(_ subject: Subject) -> Bool {
    subject.context.link == .elsewhere && !subject.context.sharesIdentifier
      && mainIndices.count >= (subject.context.isNarrow ? 1 : 2) && !leadsElsewhere
      && elsewhereCount < max(3, mainIndices.count)
      && !mainFolders.contains(subject.folder)
  }

  private func isDrawingOutside(_ context: ImageContext) -> Bool {
    context.isDrawing && context.isWithoutLink && !mainImages.areDrawings
      && (isOutside(context)
        || mainImages.areSeveral && contents?.contains(context.element) == false)
  }

  /// Whether the image is a drawing at another place than the photographs of the page, or one of several
  /// drawings of a folder without photographs.
  private func isInMenu(_ subject: Subject) -> Bool {
    subject.context.isDrawing && !photographPaths.isEmpty
      && (!photographPaths.contains(subject.context.path) || menuFolders.contains(subject.folder))
  }

  private func isOutside(_ context: ImageContext) -> Bool {
    mainImages.areInMainElement && !context.isInMainElement
  }

  /// Returns the evidence that an image is unlike the main ones.
  private func differences(of subject: Subject) -> Set<ImageEvidence> {
    var evidence: Set<ImageEvidence> = []
    let context = subject.context
    if isOutside(context) {
      evidence.insert(.isOutsideMainElement)
      // Among backgrounds, another folder has to tell the same.
      let isInOtherFolder = mainImages.folder.map { $0 != subject.folder } ?? false
      if context.isBackground, !mainImages.areBackgrounds || isInOtherFolder {
        evidence.insert(.isBackgroundOutside)
      }
    }
    if let folder = mainImages.folder, folder != subject.folder {
      evidence.insert(.isInOtherFolder)
    }
    if let main = mainImages.ofHost, main.host != subject.host, main.site == subject.site,
      contents?.contains(context.element) == false
    {
      evidence.insert(.isOnOtherHost)
    }
    if contents?.contains(context.element) == false {
      if let program = mainImages.program, program != subject.program {
        evidence.insert(.isOfOtherProgram)
      }
      if context.isInButton { evidence.insert(.isInButtonOutside) }
    }
    if mainImages.haveLargerVersions, mainImages.areSeveral, context.isWithoutLink {
      evidence.insert(.lacksLargerVersion)
    }
    if context.isWide, let contents, context.element < contents.range.lowerBound {
      evidence.insert(.isBannerBeforeContents)
    }
    if mainImages.haveLargerVersions, let link = context.link, link != .itself,
      !context.sharesIdentifier
    {
      evidence.insert(.leadsToPageUnlikeMainImages)
    }
    return evidence
  }

  private static func evidence(of link: PageRelation) -> ImageEvidence? {
    switch link {
    case .itself: nil
    case .home: .linksToHome
    case .part: .linksToPartOfPage
    case .similar: .linksToSimilarPage
    case .possiblySimilar: .linksToPossiblySimilarPage
    case .other: .linksToOtherPage
    case .elsewhere: .linksElsewhere
    case .contact: .linksToContact
    }
  }

  private func follows(_ index: Int) -> Bool {
    guard let lastOwn, index > lastOwn else { return false }
    let context = subjects[index].context
    if context.isPreview { return true }
    // An image of the site in a link to another one is rather a button than an image at a host of images.
    if context.link == .elsewhere, contents == nil, !context.sharesIdentifier,
      !context.isOnOtherSite
    {
      return subjects[index].folder != subjects[lastOwn].folder
    }
    guard let contents else { return false }
    return !mainIndices.contains(index) && !contents.contains(context.element)
  }
}
