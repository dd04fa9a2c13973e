import HTTP1
import Manifests
import Models
import Transport

/// A list in an archive, with the key of its record.
struct ArchivedList: Sendable, Equatable {
  let title: String
  let key: String
}

/// The links, the next page, the layout and the format that were found in a document of a source.
struct DocumentFindings: Sendable {
  var nextPage: String?
  /// The next pages of the lists in the document, if it is an archive.
  private(set) var listPages: [DocumentQueue.ListPage] = []
  /// The list in the archive that is being read.
  var list: ArchivedList?
  /// The known layout of the document's text, and the one with which it was read.
  var layout: RecordedLayout?
  /// The format of the document, if it is known when it has been read.
  var format: ContentFormat?
  /// Whether the document is a list of the kind that browsers show, so that its resources have a `Referer`.
  var isReferring = false
  /// The policy that the document itself states.
  var referrerPolicy: ReferrerPolicy?
  private(set) var links: [DocumentQueue.Link] = []
  /// The length of the links in bytes.
  private var linkBytes = 0
  /// Whether links are left out because they are too long together.
  private var isCutOff = false
  /// Whether entries are left out because there are too many.
  var isTruncated = false
  /// Whether the document ends before it is complete, so that it has more entries than the limits leave out.
  var endsEarly = false

  init(layout: RecordedLayout?) { self.layout = layout }

  /// Sets the next page of the document, or of the list in it that is being read.
  mutating func setNextPage(_ page: String) {
    guard let list else {
      nextPage = page
      return
    }
    if listPages.last?.list == list { listPages.removeLast() }
    listPages.append((page, list))
  }

  /// Adds a link.
  /// - Returns: false for the first link that is left out because the links are too long together.
  mutating func add(_ link: String, _ relation: ManifestLink) -> Bool {
    // More than can be read need no memory; one more shows that some are not read.
    guard links.count <= DocumentQueue.maximumDocuments, !isCutOff else { return true }
    let length = link.utf8.count
    isCutOff = linkBytes + length > DocumentQueue.maximumURLBytes
    guard !isCutOff else { return false }
    guard length <= HTTPURL.maximumLength else { return true }
    linkBytes += length
    links.append((link, relation))
    return true
  }
}
