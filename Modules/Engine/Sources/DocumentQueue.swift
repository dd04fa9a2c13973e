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
    /// The format of the document that links to this one, if it is known.
    var linkedFrom: ManifestFormat?
    /// The list in the source's first document, an archive, that this page continues; nil if it continues the document.
    var list: ArchivedList?

    /// Whether the entries begin a record of their own, unless the document itself names a record.
    var beginsRecord: Bool { page == 0 && link != .part }
    var isLinked: Bool { link != nil }
    /// Whether the user named this document.
    var isFirst: Bool { page == 0 && !isLinked }
  }

  /// A link found in a document: its target as the document writes it, and the relation.
  typealias Link = (target: String, relation: ManifestLink)

  /// The next page of a list in an archive.
  typealias ListPage = (target: String, list: ArchivedList)

  /// The largest number of pages and linked documents that are read of one source. Pages that never end are
  /// cut off there.
  static let maximumDocuments = 10_000
  /// The largest length in bytes of the URLs of all these documents together.
  static let maximumURLBytes = 16 << 20

  private let maximumDepth: Int
  /// The number of pages of the first document that are still to be read.
  private var pagesLeft: Int
  private var documentsLeft = maximumDocuments
  private var urlBytesLeft = maximumURLBytes
  /// The URLs of the documents that were read, and of those still to be read.
  private var known: Set<HTTPURL> = []
  private var read: Set<HTTPURL> = []
  /// The documents still to be read; the last one is next.
  private var pending: [Document]
  /// The first page of the first document that is not read to its end, because the limit of pages, a limit of the source
  /// or an error prevents it.
  private(set) var unreadPage: HTTPURL?
  private(set) var hasLinks = false
  /// The number of linked documents so far that were not known before.
  private(set) var linkedCount = 0
  /// Whether a document has a further page that is read, too.
  private(set) var hasFurtherPages = false
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
    if case .url(let url) = document.location { noteRead(url) }
    return document
  }

  /// Returns the problems since the last call.
  mutating func takeProblems() -> [String] {
    defer { problems = [] }
    return problems
  }

  private mutating func noteRead(_ url: HTTPURL) {
    learn(url)
    read.insert(url)
  }

  /// Adds a URL to those that are known.
  /// - Returns: false if it is known already.
  @discardableResult
  private mutating func learn(_ url: HTTPURL) -> Bool {
    guard known.insert(url).inserted else { return false }
    urlBytesLeft -= url.target.utf8.count
    return true
  }

  var isUnfinished: Bool { !pending.isEmpty }

  /// The documents that are still to be read, the next one first.
  var unread: [SourceRequest.Location] { pending.reversed().map(\.location) }

  /// Notes that a document was delivered by another URL, to which its own redirects.
  /// - Returns: false if the document at that URL has been read, or is to be read as another one.
  mutating func redirect(_ document: Document, to url: HTTPURL) -> Bool {
    guard document.location != .url(url) else { return true }
    guard document.page > 0 else { return learn(url) }
    guard !read.contains(url) else {
      problems.append(
        "\(Self.description(document)): redirects to \(url), so that the pages of this list form a loop"
      )
      return false
    }
    // A page that is also linked is read as the page, which continues its list.
    if !learn(url) { pending.removeAll { $0.location == .url(url) } }
    return true
  }

  /// The name of a document in messages.
  private static func description(_ document: Document) -> String {
    switch document.location {
    case .url(let url): url.description
    case .file(let path): path
    case .standardInput: SourceRequest.standardInputName
    }
  }

  /// Notes that a page of the first document cannot be read to its end: reading continues there another time.
  mutating func fail(_ page: Document) {
    guard !page.isLinked, case .url(let url) = page.location else { return }
    pending.removeAll { !$0.isLinked && $0.list == page.list }
    unreadPage = url
  }

  /// Leaves the next page of the first document to another time.
  /// - Returns: The URL of this page; nil if there is none.
  @discardableResult
  mutating func leavePage() -> HTTPURL? {
    guard let page = pending.last(where: { !$0.isLinked }) else { return nil }
    fail(page)
    return unreadPage
  }

  /// Leaves out the next page of the linked document that was read last.
  /// - Returns: The URL of this page; nil if there is none.
  mutating func leaveLinkedPage() -> HTTPURL? {
    guard let page = pending.last, page.isLinked, page.page > 0, case .url(let url) = page.location
    else { return nil }
    pending.removeLast()
    return url
  }

  /// Adds the next pages and the linked documents that were found in a document.
  /// - Parameters:
  ///   - base: The URL that delivered the document; nil for a file, whose links cannot be resolved.
  ///   - format: The format of the document, if it is known.
  mutating func add(
    from document: Document, at base: HTTPURL?, _ format: ManifestFormat? = nil,
    nextPage: String?, listPages: [ListPage] = [], links: [Link]
  ) {
    var pages = listPages.map { (target: $0.target, list: Optional($0.list)) }
    if let nextPage { pages.insert((nextPage, document.list), at: 0) }
    guard let base else {
      if !links.isEmpty {
        problems.append("links to \(links.count) other documents, but has no URL of its own")
      }
      for (target, _) in pages {
        let place = (try? HTTPURL(target)).map { " at \($0)" } ?? ""
        problems.append(
          "\(Self.description(document)): continues\(place), which is not read, because the list has no URL of its own"
        )
      }
      return
    }
    noteRead(base)
    hasLinks = hasLinks || !links.isEmpty
    var found: [Document] = []
    for (target, list) in pages { addPage(target, of: list, after: document, at: base, to: &found) }
    // Only an archive, which has no links, has several.
    let page = found.first
    if document.depth < maximumDepth {
      addLinked(links, from: document, at: base, format, besides: page, to: &found)
    } else if !links.isEmpty {
      problems.append(
        "\(base): the documents that it links to are deeper than \(maximumDepth) (limits.sourceDepth)"
      )
    }
    pending += found.reversed()
  }

  private mutating func addPage(
    _ target: String, of list: ArchivedList?, after document: Document, at base: HTTPURL,
    to found: inout [Document]
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
    guard !read.contains(url) else {
      problems.append("\(url): the pages of this list form a loop")
      return
    }
    guard document.isLinked || pagesLeft > 0 else {
      if let unreadPage, list != nil {
        problems.append("\(url): is not read, because \(unreadPage) continues another list")
      } else {
        unreadPage = url
      }
      return
    }
    // A page that is also linked is read as the page, which continues its list.
    if !learn(url) { pending.removeAll { $0.location == .url(url) } }
    var page = document
    page.location = .url(url)
    page.page += 1
    page.list = list
    if append(page, to: &found) {
      hasFurtherPages = true
    } else if !document.isLinked {
      unreadPage = url
    }
  }

  private mutating func addLinked(
    _ links: [Link], from document: Document, at base: HTTPURL, _ format: ManifestFormat?,
    besides page: Document?, to found: inout [Document]
  ) {
    var targets: Set<HTTPURL> = []
    if case .url(let url)? = page?.location { targets.insert(url) }
    var repeated: HTTPURL?
    var unusable = 0
    // The parts of a record come before other records begin, so that their entries reach the right one.
    let ordered = links.filter { $0.relation == .part } + links.filter { $0.relation != .part }
    for (target, relation) in ordered {
      guard let url = try? base.resolving(target) else {
        unusable += 1
        continue
      }
      guard targets.insert(url).inserted else { continue }
      guard learn(url) else {
        repeated = repeated ?? url
        continue
      }
      let linked = Document(
        location: .url(url), depth: document.depth + 1, link: relation, linkedFrom: format)
      guard append(linked, to: &found) else { break }
      linkedCount += 1
    }
    if unusable > 0 {
      problems.append("\(base): \(unusable) documents that it links to have no usable URL")
    }
    if let repeated {
      problems.append("\(base): links to \(repeated), which is read only once")
    }
  }

  /// Appends a document, unless the source has too many.
  private mutating func append(_ document: Document, to found: inout [Document]) -> Bool {
    let hasRoom = pending.count + found.count < documentsLeft
    guard hasRoom, urlBytesLeft >= 0 else {
      if !isCutOff {
        problems.append(
          hasRoom
            ? "the URLs of the documents of the source are longer than \(Self.maximumURLBytes) bytes "
              + "together; the others are not read"
            : "only the first \(Self.maximumDocuments) documents of the source are read")
      }
      isCutOff = true
      return false
    }
    found.append(document)
    return true
  }
}
