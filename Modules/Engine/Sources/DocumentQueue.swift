import LibraryAPI
import Manifests
import Models

/// The documents of a source that are still to be read: the pages of a list, and the documents that a document
/// links to, such as the folders of a listing. The order is that of the documents, depth first. A value that
/// reads nothing.
struct DocumentQueue: Sendable {
  struct Document: Sendable, Equatable {
    var location: SourceRequest.Location
    /// The number of links that lead from the source's first document to this one.
    var depth = 0
    /// The number of earlier pages of the same document.
    var page = 0
    /// The relation to the document that named this one; nil for the source's first document.
    var link: ManifestLink?

    /// Whether the entries begin a record of their own, unless the document itself names a record.
    var beginsRecord: Bool { page == 0 && link != .part }
    var isLinked: Bool { link != nil }
  }

  /// A link found in a document: its target as the document writes it, and the relation.
  typealias Link = (target: String, relation: ManifestLink)

  /// The largest number of pages and linked documents that are read of one source. Pages that never end are
  /// cut off there.
  static let maximumDocuments = 10_000

  private let maximumDepth: Int
  /// The number of pages of the first document that are still to be read.
  private var pagesLeft: Int
  private var documentsLeft = maximumDocuments
  private var seen: Set<HTTPURL> = []
  /// The documents still to be read; the last one is next.
  private var pending: [Document]
  /// The next page of the first document, if the limit of pages keeps it from being read.
  private(set) var unreadPage: HTTPURL?
  private(set) var hasLinks = false
  /// Whether documents are not read because the source has too many; reported once.
  private var isCutOff = false
  /// Reasons why documents are not read.
  private(set) var problems: [String] = []

  /// - Parameters:
  ///   - pages: The maximum number of pages of the first document; those of linked documents are all read.
  ///   - depth: The maximum depth of linked documents.
  init(_ first: SourceRequest.Location, pages: Int, depth: Int) {
    pending = [Document(location: first)]
    pagesLeft = pages
    maximumDepth = depth
  }

  /// Returns the next document to read; nil after the last one.
  mutating func next() -> Document? {
    guard let document = pending.popLast() else { return nil }
    if !document.isLinked { pagesLeft -= 1 }
    documentsLeft -= 1
    if case .url(let url) = document.location { seen.insert(url) }
    return document
  }

  /// Returns the problems since the last call.
  mutating func takeProblems() -> [String] {
    defer { problems = [] }
    return problems
  }

  /// Adds the next page and the linked documents that were found in a document.
  /// - Parameter base: The URL that delivered the document; nil for a file, whose links cannot be resolved.
  mutating func add(
    from document: Document, at base: HTTPURL?, nextPage: String?, links: [Link]
  ) {
    guard let base else {
      if !links.isEmpty {
        problems.append("links to \(links.count) other documents, but has no URL of its own")
      }
      return
    }
    seen.insert(base)
    hasLinks = hasLinks || !links.isEmpty
    var found: [Document] = []
    if let nextPage { addPage(nextPage, after: document, at: base, to: &found) }
    if document.depth < maximumDepth {
      addLinked(links, from: document, at: base, to: &found)
    } else if !links.isEmpty {
      problems.append(
        "\(base): the documents that it links to are deeper than \(maximumDepth) (limits.sourceDepth)"
      )
    }
    pending += found.reversed()
  }

  private mutating func addPage(
    _ target: String, after document: Document, at base: HTTPURL, to found: inout [Document]
  ) {
    let url: HTTPURL
    do {
      url = try base.resolving(target)
    } catch {
      problems.append(
        ManifestProblem(
          file: base.description, index: nil, reason: "its next page has no usable URL: \(error)"
        ).description)
      return
    }
    guard !seen.contains(url) else {
      problems.append("\(url): the pages of this list form a loop")
      return
    }
    guard document.isLinked || pagesLeft > 0 else {
      unreadPage = url
      return
    }
    var page = document
    page.location = .url(url)
    page.page += 1
    if !append(page, to: &found), !document.isLinked { unreadPage = url }
  }

  private mutating func addLinked(
    _ links: [Link], from document: Document, at base: HTTPURL, to found: inout [Document]
  ) {
    let known = seen
    var repeated: HTTPURL?
    for (target, relation) in links {
      guard let url = try? base.resolving(target) else {
        problems.append("\(base): a document that it links to has no usable URL")
        continue
      }
      guard seen.insert(url).inserted else {
        if known.contains(url) { repeated = repeated ?? url }
        continue
      }
      let linked = Document(location: .url(url), depth: document.depth + 1, link: relation)
      guard append(linked, to: &found) else { break }
    }
    if let repeated {
      problems.append("\(base): links to \(repeated), which is read only once")
    }
  }

  /// Appends a document, unless the source has too many.
  private mutating func append(_ document: Document, to found: inout [Document]) -> Bool {
    guard pending.count + found.count < documentsLeft else {
      if !isCutOff {
        problems.append("only the first \(Self.maximumDocuments) documents of the source are read")
      }
      isCutOff = true
      return false
    }
    found.append(document)
    return true
  }
}
