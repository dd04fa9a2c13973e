import LibraryAPI
import Manifests

/// The properties, known from earlier readings, of a document that is read again or that continues a source. An error
/// page that a server sends with the status 200 is thereby not taken for the content of the source.
struct ExpectedDocument: Sendable {
  /// The format of the source's first document; nil if any is accepted.
  var format: ContentFormat?
  /// Whether the document has had content, or continues one that has.
  var hasContent = false
  /// Whether the document continues the source's first document, or a list in it if that is an archive.
  var isFurtherPage = false
  /// The format of a document that names this one as a part of it; nil if there is none, or any part is accepted.
  private var parent: ManifestFormat?

  init(format: ContentFormat? = nil, hasContent: Bool = false) {
    self.format = format
    self.hasContent = hasContent
  }

  /// - Parameter parent: The format of the document that links to the expected one; nil if it is not known.
  init(linkedFrom parent: ManifestFormat?) {
    guard let parent, !Self.formats(linkedFrom: parent).isEmpty else { return }
    self.parent = parent
    hasContent = true
  }

  /// The formats that a document may have to which one of this format links; empty if it may have any.
  private static func formats(linkedFrom parent: ManifestFormat) -> [ManifestFormat] {
    switch parent {
    // The protocol of sitemaps permits feeds and lists of URLs in plain text in place of sitemaps.
    case .sitemap: [.sitemap, .feed, .text]
    // A server sends the page of a folder that has one in place of the listing.
    case .listing: [.listing, .html]
    case .bucket: [.bucket]
    case .iiif: [.iiif]
    default: []
    }
  }

  /// - Parameters:
  ///   - found: The format of the document; nil before it is recognised.
  ///   - isEmpty: Whether nothing was found in the document, so that a page and a listing, or a map of names and
  ///     other JSON, cannot be told apart.
  ///   - name: The name of the document in messages.
  /// - Throws: `LibraryError` with code `source` for a document of another kind.
  func check(_ found: ContentFormat?, isEmpty: Bool = false, name: String) throws(LibraryError) {
    guard let found else { return }
    if let parent { try check(found, asPartOf: parent, name: name) }
    guard let format, !format.admits(found) else { return }
    if isFurtherPage, format.format == .zip, ContentFormat(.json).admits(found) { return }
    if isEmpty, format.format == .listing, found.format == .html { return }
    if isEmpty, format.format.admits(found.format) { return }
    throw LibraryError(
      .source,
      "\(name): the content has the format \"\(found.text)\", but the source has \"\(format.text)\""
    )
  }

  private func check(
    _ found: ContentFormat, asPartOf parent: ManifestFormat, name: String
  ) throws(LibraryError) {
    // A resource is refused by what reads the document, whatever links to it.
    guard found.format != .singleResource,
      !Self.formats(linkedFrom: parent).contains(where: { ContentFormat($0).admits(found) })
    else { return }
    throw LibraryError(
      .source,
      "\(name): the content has the format \"\(found.text)\", and cannot be a part of the \"\(parent.rawValue)\" that "
        + "links to it")
  }
}
