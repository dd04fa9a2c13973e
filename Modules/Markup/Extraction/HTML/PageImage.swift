/// An image of a page, before the images are compared with each other.
struct PageImage {
  var best: ImageCandidate
  /// The URLs of all versions of the image in the page.
  var versions: [String]
  var title: String?
  var omission: Omission
  var context = ImageContext()
  /// Whether the image is one of the main images of the page.
  var isMain = false
  /// Whether the page names the image as its own.
  var representsPage = false
  /// Whether the image is shown only without scripts, in place of another.
  var isInNoscript = false

  /// Takes another version of the image. If its element states no policy for the `Referer`, that of the image holds.
  mutating func take(_ version: ImageCandidate) {
    let policy = best.referrerPolicy
    best = version
    if best.referrerPolicy == nil { best.referrerPolicy = policy }
  }

  /// Whether the page shows the image large, or links to a larger version of it.
  var isContent: Bool {
    best.source == .link || context.hasLargerVersion
      || context.statesLargeSize && !context.isBackground && !context.isWay
  }
}
