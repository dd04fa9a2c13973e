public import Markup

/// Finds the images of a web page, or the files of a folder that a web server lists.
public struct HTMLExtractor: MarkupExtractor {
  private let rule: MarkupRule?
  private var page: PageExtractor
  private var listing: ListingExtractor
  /// The error instead of items, if the document is not what it was requested for; nil before its end.
  public private(set) var refusal: MarkupError?

  /// - Parameters:
  ///   - rule: `html` or `listing`; nil to recognize a listing by its structure.
  ///   - url: The URL of the document; nil for a file.
  public init(rule: MarkupRule?, url: String?) {
    self.rule = rule
    page = PageExtractor(url: url)
    listing = ListingExtractor(url: url)
  }

  public mutating func handle(_ event: MarkupEvent, into items: inout [MarkupItem]) {
    // The kind of the document and the choice among its images depend on all of it.
    if rule != .listing { page.handle(event) }
    if rule != .html { listing.handle(event) }
  }

  public mutating func finish(into items: inout [MarkupItem]) {
    if rule == .listing || rule == nil && listing.isListing {
      items.append(.rule(.listing))
      // A rule that the user names (`--format listing`) takes all files.
      listing.finish(isOfImages: rule == nil, into: &items)
      return
    }
    let found = PageResult.find(in: page)
    // A rule that the user names (`--format html`) also reads a page for signing in.
    // Many sites have a form for signing in at the top of each page.
    if rule == nil, !page.metadata.isAboutThing, !found.hasContents,
      page.signIn.isWholePage(imageCount: found.entries.count)
    {
      refusal = Self.signInRefusal
      return
    }
    items.append(.rule(.html))
    if let base = page.metadata.base { items.append(.base(base)) }
    if let title = page.metadata.title { items.append(.title(title)) }
    if let policy = page.metadata.referrerPolicy { items.append(.referrerPolicy(policy)) }
    for entry in found.entries { items.append(.entry(entry)) }
    if let next = page.metadata.nextPage { items.append(.nextPage(next)) }
  }

  /// The reader of the page adds its URL.
  private static var signInRefusal: MarkupError {
    MarkupError(
      .unsupported,
      "this looks like a page for signing in, not like one with images; add the cookies or the "
        + "header fields of a session, or read it with `--format html`")
  }
}
