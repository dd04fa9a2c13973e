import Models

/// Reads an input file of aria2 (`aria2c --input-file`): the URLs of one file on a line, with tabs between them;
/// on the lines after it, which begin with white space, its options as `key=value`; comments begin with `#`.
///
/// The options `out`, `dir`, `header`, `referer`, `user-agent` and `checksum` are used and all others skipped.
/// `dir` and `out` are names that aria2 would resolve as paths; only their last components are used, as the
/// title of a record and as the name of the file. Spellings of the same `dir` are one record.
struct Aria2Reader: Sendable {
  private struct Item: Sendable {
    let line: Int
    var draft = EntryDraft()
    var folder: String?
  }

  private var lines: LineQueue
  /// The last URLs, whose options may follow.
  private var item: Item?
  /// The folder of the current record; nil for the folder of the list.
  private var folder: String?

  init(limits: ManifestLimits) { lines = LineQueue(limits: limits) }

  mutating func receive(_ bytes: RawSpan, into collector: inout EntryCollector) {
    lines.append(bytes)
    read(into: &collector)
  }

  mutating func finish(into collector: inout EntryCollector) {
    lines.finish()
    read(into: &collector)
    endItem(in: &collector)
  }

  private mutating func read(into collector: inout EntryCollector) {
    while !collector.isOver, let line = lines.next() {
      guard let text = line.text else {
        collector.addRemark(line.fault, line: line.number)
        continue
      }
      let content = Self.trimmed(text[...])
      if content.isEmpty || content.hasPrefix("#") { continue }
      if text.utf8.first == 0x20 || text.utf8.first == 0x09 {
        option(content, line.number, &collector)
      } else {
        endItem(in: &collector)
        item = Self.item(content, line.number)
      }
    }
  }

  static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while let first = text.utf8.first, first <= 0x20 { text = Substring(text.utf8.dropFirst()) }
    while let last = text.utf8.last, last <= 0x20 { text = Substring(text.utf8.dropLast()) }
    return text
  }

  private static func item(_ content: Substring, _ line: Int) -> Item {
    var item = Item(line: line)
    let urls = content.utf8.split(separator: 0x09).map { String(trimmed(Substring($0))) }
      .filter { !$0.isEmpty }
    // Other schemes may be mirrors of an HTTP URL.
    let first = urls.firstIndex(where: TableSample.isURL) ?? 0
    item.draft.url = urls[first]
    for (place, url) in urls.enumerated() where place != first {
      item.draft.addMirror(url)
    }
    if !TableSample.isURL(urls[first]) {
      item.draft.fail("\(Excerpt.quote(url: urls[first])) is not an HTTP URL")
    }
    return item
  }

  private mutating func option(
    _ content: Substring, _ line: Int, _ collector: inout EntryCollector
  ) {
    guard let equals = content.utf8.firstIndex(of: UInt8(ascii: "=")),
      case let key = Self.trimmed(content[..<equals]), Aria2Recognition.isKey(key)
    else {
      return collector.addRemark("is indented, but no option key=value", line: line)
    }
    guard item != nil else { return collector.addRemark("is an option before any URL", line: line) }
    let value = String(Self.trimmed(content[content.utf8.index(after: equals)...]))
    guard !value.isEmpty else { return }
    switch key {
    case "out": item?.draft.name = Self.lastComponent(value)
    case "dir": item?.folder = Self.folder(value)
    // aria2 sends the URL itself for `*`.
    case "referer": if value != "*" { item?.draft.addHeader("Referer", value) }
    case "user-agent": item?.draft.addHeader("User-Agent", value)
    case "header":
      guard let colon = value.utf8.firstIndex(of: UInt8(ascii: ":")) else {
        return collector.addRemark("the header has no colon", line: line)
      }
      item?.draft.addHeader(
        String(Self.trimmed(value[..<colon])),
        String(Self.trimmed(value[value.utf8.index(after: colon)...])))
    case "checksum": item?.draft.checksum = EntryDraft.StatedChecksum(text: value)
    default: break
    }
  }

  private mutating func endItem(in collector: inout EntryCollector) {
    guard let item else { return }
    self.item = nil
    if item.folder != folder, item.draft.fault == nil {
      folder = item.folder
      let name = folder.flatMap(Self.lastComponent).flatMap(ManifestTitle.cleaned)
      collector.items.append(
        .record(
          title: name ?? ManifestTitle.title(forFileName: collector.file), key: folder ?? ""))
    }
    collector.addEntry(item.draft, line: item.line)
    if let checksum = item.draft.checksum, checksum.algorithm == nil {
      collector.addRemark(
        "the checksum is not verified, because its type \(Excerpt.quote(checksum.type)) is not known",
        line: item.line)
    }
  }

  /// Returns the path without empty components and those that name the same folder; nil for the folder of the
  /// list. A component `..` stays, because the folder before it may be a symbolic link.
  private static func folder(_ path: String) -> String? {
    let names = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
      .filter { $0 != "." }
    let root = path.utf8.first == UInt8(ascii: "/") ? "/" : ""
    let folder = root + names.joined(separator: "/")
    return folder.isEmpty ? nil : folder
  }

  /// Returns the last component of a path that is a name; nil if there is none.
  private static func lastComponent(_ path: String) -> String? {
    path.split { $0 == "/" || $0 == "\\" }.last { $0 != "." && $0 != ".." }.map { String($0) }
  }
}

extension EntryDraft {
  /// The names of fields, in lower case, that other programs list although they belong to the connection, which
  /// each client decides for itself.
  private static let ofConnection: Set<String> = ["accept-encoding", "connection", "keep-alive"]

  /// Adds a request field of a list that another program has written.
  mutating func addHeader(_ name: String, _ value: String) {
    guard !Self.ofConnection.contains(name.lowercased()) else { return }
    // A request has one Cookie field (RFC 6265 §5.4).
    if HTTPFields.isSame(name, "Cookie"), let earlier = headers[name] {
      return headers.set(name, earlier + "; " + value)
    }
    // One field more than allowed is kept for the check, so that a list cannot fill the memory.
    if headers.count <= EntryHeaders.maximumCount { headers.append(name, value) }
  }
}
