import LibraryAPI
import Manifests

/// The properties, known from earlier readings, of a document that is read again or that continues a source. An error
/// page that a server sends with the status 200 is thereby not taken for the content of the source.
struct ExpectedDocument: Sendable {
  /// The format of the source's first document; nil if any is accepted.
  var format: ContentFormat?
  /// Whether the document has had content, or continues one that has.
  var hasContent = false

  /// - Parameters:
  ///   - found: The format of the document; nil before it is recognised.
  ///   - isEmpty: Whether nothing was found in the document, so that a page and a listing, or a map of names and
  ///     other JSON, cannot be told apart.
  ///   - name: The name of the document in messages.
  /// - Throws: `LibraryError` with code `source` for a document of another kind.
  func check(_ found: ContentFormat?, isEmpty: Bool = false, name: String) throws(LibraryError) {
    guard let format, let found, !format.admits(found) else { return }
    if isEmpty, format.format == .listing, found.format == .html { return }
    if isEmpty, format.format.admits(found.format) { return }
    throw LibraryError(
      .source,
      "\(name): the content has the format \"\(found.text)\", but the source has \"\(format.text)\""
    )
  }
}
