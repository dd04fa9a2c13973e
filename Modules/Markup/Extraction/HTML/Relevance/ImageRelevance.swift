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
  }

  private let subjects: [Subject]
  private let isListing: Bool
  private let ownCount: Int
  private let namesOwnImage: Bool
  /// The numbers of previews by the elements around them.
  private let previews: [String: Int]
  /// The index of the last image of the contents; nil if the page has no own images.
  private let lastOwn: Int?
  private let mainIndices: Set<Int>
  private let contents: ElementTree.Contents?
  private let mainImages: MainImages

  /// The properties that the main images of a page have in common.
  private struct MainImages {
    var haveLargerVersions = false
    var areInMainElement = false
    /// The folder of at least three images; nil if they are in several.
    var folder: [UInt8]?

    init(_ images: [Subject]) {
      guard let first = images.first else { return }
      haveLargerVersions = images.allSatisfy(\.context.hasLargerVersion)
      areInMainElement = images.allSatisfy(\.context.isInMainElement)
      if images.count > 2, images.allSatisfy({ $0.folder == first.folder }) {
        folder = first.folder
      }
    }
  }

  /// The number of previews from which a page with one image of its own may be a listing.
  private static let listingCount = 4

  /// - Parameters:
  ///   - subjects: The images of the page that nothing else speaks against, in document order.
  ///   - tree: The elements of the page.
  ///   - isAboutThing: Whether the page says that it is about one thing, such as an article or a product.
  init(_ subjects: [Subject], _ tree: ElementTree, isAboutThing: Bool) {
    self.subjects = subjects
    let own = subjects.indices.filter {
      let context = subjects[$0].context
      return context.isOwn && !context.isSmall && !context.isInNoscript
    }
    ownCount = own.count
    namesOwnImage = own.contains { subjects[$0].representsPage }
    var previews: [String: Int] = [:]
    for subject in subjects where subject.context.isPreview {
      previews[subject.context.path, default: 0] += 1
    }
    self.previews = previews
    let isConfirmed = namesOwnImage || isAboutThing
    isListing =
      own.isEmpty
      || own.count == 1 && !isConfirmed && previews.values.contains { $0 >= Self.listingCount }
    let mainPath = Self.mainPath(of: own.map { subjects[$0] })
    let main = own.filter { Self.path(of: subjects[$0]) == mainPath }
    let contents = tree.contents(of: main.map { subjects[$0].context.element })
    mainIndices = Set(main)
    mainImages = MainImages(main.map { subjects[$0] })
    let isCertain = main.count > 1 || main.contains { subjects[$0].representsPage }
    self.contents = isCertain ? contents : nil
    lastOwn = own.last { contents?.contains(subjects[$0].context.element) == true }
  }

  /// Returns the elements around most of the images, of equal numbers those around the first; nil without images.
  private static func mainPath(of images: [Subject]) -> String? {
    var counts: [String: Int] = [:]
    for image in images { counts[path(of: image), default: 0] += 1 }
    guard let most = counts.values.max() else { return nil }
    if most == 1, let named = images.first(where: \.representsPage) { return path(of: named) }
    return images.first { counts[path(of: $0)] == most }.map(path)
  }

  /// Returns the elements around an image, with what they lead to.
  private static func path(of image: Subject) -> String {
    image.context.path + (image.context.hasLargerVersion ? ">version" : "")
  }

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
    let isSmallBesideLarger = context.isSmall && context.isOwn && ownCount > 0
    if context.isInText, !isOutside(context), !isSmallBesideLarger { evidence.insert(.isInText) }
    if context.isMap { evidence.insert(.isMap) }
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
    if !mainIndices.contains(index) { evidence.formUnion(differences(of: subject)) }
    if context.isPreview {
      if previews[context.path, default: 0] >= 3 { evidence.insert(.isRepeatedPreview) }
      if namesOwnImage { evidence.insert(.leadsAwayFromNamedImage) }
      if isListing, ownCount == 0 || context.link != .similar { evidence.insert(.isInListing) }
    } else if context.link == .elsewhere, ownCount == 0 {
      // A page may have all its images at a host of images, in links to their pages there.
      evidence.insert(.isInListing)
    }
    return evidence
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
      if context.isBackground { evidence.insert(.isBackgroundOutside) }
    }
    if let folder = mainImages.folder, folder != subject.folder {
      evidence.insert(.isInOtherFolder)
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
    guard let contents else { return false }
    return !mainIndices.contains(index) && !contents.contains(context.element)
  }
}
