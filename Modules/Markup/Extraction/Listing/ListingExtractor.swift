import Markup
import Models

/// Reads the listing of a folder by a web server: Apache (mod_autoindex), nginx, lighttpd, Caddy, and
/// Python's http.server. The structure is the same in all: a link for each file and folder, with time and
/// size after it.
struct ListingExtractor: Sendable {
  private let url: HTTPURL?
  private var links: [ListingLink] = []
  private var isInLink = false
  private var preDepth = 0
  /// Whether the row or line of the last link is complete.
  private var isRowOver = true
  private var text = TextCapture()
  /// The path in the title or a heading, such as `/pub` in "Index of /pub".
  private var titlePath: String?

  init(url: String?) { self.url = url.flatMap { try? HTTPURL($0) } }

  mutating func handle(_ event: MarkupEvent) {
    switch event {
    case .start(let name, _, let attributes): start(name, AttributeMap(attributes))
    case .text(let characters):
      text.append(characters)
      addText(characters)
    case .end(let name): end(name)
    }
  }

  private mutating func start(_ name: String, _ attributes: AttributeMap) {
    switch name {
    case "title", "h1", "h2": text.begin(name)
    case "pre": preDepth += 1
    case "tr", "li": isRowOver = true
    case "a":
      guard let reference = attributes["href"] else { return }
      links.append(ListingLink(reference: reference))
      isInLink = true
      isRowOver = false
    case "td":
      guard let last = links.indices.last, !isRowOver else { return }
      // Texts of neighbouring cells are not one word.
      links[last].tail += " "
      for name in ["data-size", "data-order"] {
        guard let size = attributes[name].flatMap({ Int64($0) }), size >= 0 else { continue }
        links[last].statedSize = links[last].statedSize ?? size
      }
    default: break
    }
  }

  private mutating func end(_ name: String) {
    switch name {
    case "title", "h1", "h2":
      if let captured = text.end(name), titlePath == nil {
        titlePath = Self.path(inTitle: captured)
      }
    case "pre": preDepth -= 1
    case "a": isInLink = false
    case "tr": isRowOver = true
    default: break
    }
  }

  /// The maximum length of the text of a link, or after it, in bytes.
  private static let textLimit = 1_000

  private mutating func addText(_ text: String) {
    guard !isRowOver, let last = links.indices.last else { return }
    if isInLink {
      if links[last].text.utf8.count < Self.textLimit { links[last].text += text }
      return
    }
    guard links[last].tail.utf8.count < Self.textLimit else { return }
    // In preformatted text, the next line belongs to the next link.
    if preDepth > 0, let newline = text.firstIndex(where: \.isNewline) {
      links[last].tail += text[..<newline]
      isRowOver = true
    } else {
      links[last].tail += text
    }
  }

  private static let titles = ["index of /", "directory listing for /", "directory listing of /"]

  private static func path(inTitle title: String) -> String? {
    guard let text = Words.collapsed(title) else { return nil }
    let lower = text.lowercased()
    guard let beginning = titles.first(where: { lower.hasPrefix($0) }) else { return nil }
    return String(text.dropFirst(beginning.count - 1))
  }

  // MARK: - The folder

  /// The URL of the folder. For a file, the path in the title stands for it, below a host that does not
  /// exist.
  private var folder: HTTPURL? {
    if let url {
      let path = url.path
      let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
      return HTTPURL(origin: url.origin, target: String(path[...end]))
    }
    let path = (titlePath ?? "/").split(separator: "/").map {
      PercentEncoding.encodeSegment(String($0))
    }
    return try? HTTPURL("http://listing.invalid/" + path.map { $0 + "/" }.joined())
  }

  /// Whether the document is a listing: it has the title of one, or a link to the parent folder or several
  /// links to other orders; and nearly all of its links lead to what is in the folder.
  var isListing: Bool {
    guard let folder else { return false }
    var (children, parents, orders, others) = (0, 0, 0, 0)
    for link in links {
      switch link.kind(in: folder) {
      case .file, .folder: children += 1
      case .parent: parents += 1
      case .sorting: orders += 1
      case .other: others += 1
      }
    }
    if titlePath != nil { return others <= max(3, children / 2) }
    return others <= 2 && orders >= 3 && parents + children > 0
  }

  /// - Parameter isOfImages: Whether files that are no images are left out beside images.
  mutating func finish(isOfImages: Bool, into items: inout [MarkupItem]) {
    guard let folder else { return }
    let name = PercentEncoding.decode(folder.path.split(separator: "/").last ?? "")
    if let title = Words.collapsed(name) { items.append(.title(title)) }
    var seen: Set<String> = []
    let omitsForeign = isOfImages && hasImages(in: folder)
    for link in links {
      guard let reference = Reference.cleaned(link.reference) else { continue }
      switch link.kind(in: folder) {
      case .file(let name):
        if omitsForeign, ListedKind(name) == .foreign { continue }
        guard seen.insert(reference).inserted else { continue }
        var entry = MarkupEntry(url: reference)
        entry.name = name
        entry.byteCount = link.byteCount
        items.append(.entry(entry))
      case .folder:
        if seen.insert(reference).inserted { items.append(.document(reference, .record)) }
      case .parent, .sorting, .other: break
      }
    }
  }

  private func hasImages(in folder: HTTPURL) -> Bool {
    links.contains { link in
      if case .file(let name) = link.kind(in: folder) { ListedKind(name) == .image } else { false }
    }
  }
}
