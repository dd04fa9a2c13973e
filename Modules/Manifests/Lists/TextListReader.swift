/// Reads a URL from each line, with an optional title after a tab. Blank lines and lines that begin with `#`
/// are skipped, and so are comments behind a URL; white space around URL and title is ignored. A line may have several
/// URLs, and URLs in angle brackets.
struct TextListReader: Sendable {
  private let limit: Int
  /// Whether a row of a table is refused, because it would be read as another URL than that of the row.
  private let refusesRows: Bool
  /// The part of the current line that arrived in earlier chunks.
  private var pending: [UInt8] = []
  private var isTooLong = false
  private var number = 1

  init(limits: ManifestLimits, refusesRows: Bool) {
    limit = limits.textLength
    self.refusesRows = refusesRows
  }

  mutating func receive(_ bytes: RawSpan, into collector: inout EntryCollector) {
    var start = 0
    while let newline = bytes.firstIndex(of: 0x0a, from: start) {
      if pending.isEmpty, !isTooLong, newline &- start <= limit {
        read(bytes.extracting(start..<newline), into: &collector)
      } else {
        buffer(bytes.extracting(start..<newline))
        endPending(into: &collector)
      }
      number &+= 1
      start = newline &+ 1
    }
    buffer(bytes.extracting(start..<bytes.byteCount))
  }

  mutating func finish(into collector: inout EntryCollector) { endPending(into: &collector) }

  private mutating func buffer(_ bytes: RawSpan) {
    guard !isTooLong, bytes.byteCount > 0 else { return }
    isTooLong = pending.count &+ bytes.byteCount > limit
    if !isTooLong { bytes.withUnsafeBytes { pending.append(contentsOf: $0) } }
  }

  private mutating func endPending(into collector: inout EntryCollector) {
    if isTooLong {
      collector.addProblem("is longer than \(limit) bytes (limits.manifestTextBytes)", line: number)
    } else {
      read(pending.span.bytes, into: &collector)
    }
    pending.removeAll(keepingCapacity: true)
    isTooLong = false
  }

  private func read(_ bytes: RawSpan, into collector: inout EntryCollector) {
    var start = 0
    // Each of several lists that were put together may begin with a byte order mark, and programs may add another one.
    while bytes.byteCount >= start &+ 3, bytes.byte(start) == 0xef, bytes.byte(start &+ 1) == 0xbb,
      bytes.byte(start &+ 2) == 0xbf
    {
      start &+= 3
    }
    let line = bytes.extracting(bytes.rangeWithoutSpace(from: start))
    guard line.byteCount > 0, line.byte(0) != UInt8(ascii: "#") else { return }
    guard line.byte(0) == UInt8(ascii: "<") || line.firstControlOrSpace != nil else {
      return add(url: line, to: &collector)
    }
    guard line.firstIndex(of: 0, from: 0) == nil else {
      return collector.addProblem("has a NUL byte in it", line: number)
    }
    let tab = line.firstIndex(of: 0x09, from: 0) ?? line.byteCount
    guard let title = line.extracting(droppingFirst: tab).text else {
      return addInvalidUTF8(to: &collector)
    }
    let urls = line.extracting(line.extracting(first: tab).rangeWithoutSpace())
    let hasSpace = urls.firstIndex(of: 0x20, from: 0) != nil
    guard hasSpace || line.byte(0) == UInt8(ascii: "<") else {
      return add(url: urls, title: title, to: &collector)
    }
    guard let text = urls.text else { return addInvalidUTF8(to: &collector) }
    for var url in LineURLs(text).urls {
      url.makeContiguousUTF8()
      let hasSpace = url.utf8.contains(0x20)
      add(url: url.utf8.span.bytes, title: title, hasSpace: hasSpace, to: &collector)
    }
  }

  /// Adds an entry for one line. Most lines are a URL alone, without white space or control characters.
  private func add(
    url bytes: RawSpan, title: String = "", hasSpace: Bool = false,
    to collector: inout EntryCollector
  ) {
    guard let url = bytes.text else { return addInvalidUTF8(to: &collector) }
    var draft = EntryDraft()
    draft.url = url
    if refusesRows, mayBeRow(bytes), URLRow.isRow(url) {
      draft.fail(
        "\(Excerpt.quote(url)) is a row of a table and not a URL; --format csv reads the list as a table, "
          + "--format text reads each line as a URL")
    }
    if !title.isEmpty { draft.title = title }
    if hasSpace, Self.isProse(url) { draft.fail("\(Excerpt.quote(url)) is not a URL") }
    collector.addEntry(draft, line: number)
  }

  /// Whether the line has what no URL contains, or much of what few URLs contain. Most lines have nothing of it,
  /// and the search for a byte is fast.
  private func mayBeRow(_ line: RawSpan) -> Bool {
    guard line.byteCount <= CSVParser.maximumColumns else { return true }
    if line.firstIndex(of: TableRecognition.bar, from: 0) != nil { return true }
    guard
      line.firstIndex(of: UInt8(ascii: ","), from: 0) != nil
        || line.firstIndex(of: UInt8(ascii: ";"), from: 0) != nil
    else { return false }
    // The first colon is that of the scheme.
    return line.firstIndex(of: 0x20, from: 0) != nil
      || line.firstIndex(of: UInt8(ascii: ":"), from: min(8, line.byteCount)) != nil
  }

  private func addInvalidUTF8(to collector: inout EntryCollector) {
    collector.addProblem("is not UTF-8", line: number)
  }

  /// Whether the text is prose, such as a server's error message, which would otherwise be parsed as a
  /// relative URL.
  private static func isProse(_ text: String) -> Bool {
    let start = text.prefix(8).lowercased()
    return !start.hasPrefix("http://") && !start.hasPrefix("https://")
  }
}
