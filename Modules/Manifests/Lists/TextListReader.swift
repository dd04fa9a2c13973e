/// Reads a URL from each line, with an optional title behind a tab. Blank lines and lines that
/// begin with `#` are skipped; white space around the parts does not count.
struct TextListReader: Sendable {
  private let limit: Int
  /// The part of the present line that came with earlier chunks.
  private var held: [UInt8] = []
  private var isTooLong = false
  private var number = 1

  init(limits: ManifestLimits) { limit = limits.textLength }

  mutating func receive(_ bytes: RawSpan, into collector: inout EntryCollector) {
    var start = 0
    while let newline = bytes.firstIndex(of: 0x0a, from: start) {
      if held.isEmpty, !isTooLong, newline &- start <= limit {
        bytes.extracting(start..<newline).withUnsafeBytes { read($0, into: &collector) }
      } else {
        hold(bytes.extracting(start..<newline))
        endHeld(into: &collector)
      }
      number &+= 1
      start = newline &+ 1
    }
    hold(bytes.extracting(start..<bytes.byteCount))
  }

  mutating func finish(into collector: inout EntryCollector) { endHeld(into: &collector) }

  private mutating func hold(_ bytes: RawSpan) {
    guard !isTooLong, bytes.byteCount > 0 else { return }
    isTooLong = held.count &+ bytes.byteCount > limit
    if !isTooLong { bytes.withUnsafeBytes { held.append(contentsOf: $0) } }
  }

  private mutating func endHeld(into collector: inout EntryCollector) {
    if isTooLong {
      collector.addProblem("is longer than \(limit) bytes", line: number)
    } else {
      held.withUnsafeBytes { read($0, into: &collector) }
    }
    held.removeAll(keepingCapacity: true)
    isTooLong = false
  }

  private func read(_ bytes: UnsafeRawBufferPointer, into collector: inout EntryCollector) {
    var line = bytes[...]
    if number == 1, line.starts(with: [0xef, 0xbb, 0xbf]) { line = line.dropFirst(3) }
    line = Self.trimmed(line)
    guard let first = line.first, first != UInt8(ascii: "#") else { return }
    guard let text = String(validating: line, as: UTF8.self) else {
      return collector.addProblem("is not UTF-8", line: number)
    }
    var draft = EntryDraft()
    if let tab = text.utf8.firstIndex(of: 0x09) {
      draft.url = String(text[..<tab])
      draft.title = String(text[text.utf8.index(after: tab)...])
    } else {
      draft.url = text
    }
    if let url = draft.url, Self.isProse(url) {
      draft.fail("\(Excerpt.quote(url)) is not a URL")
    }
    collector.add(draft, line: number)
  }

  /// Words: an error text of a server, say, that would else be taken for a relative URL.
  private static func isProse(_ text: String) -> Bool {
    guard text.utf8.contains(0x20) else { return false }
    let start = text.prefix(8).lowercased()
    return !start.hasPrefix("http://") && !start.hasPrefix("https://")
  }

  private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>)
    -> Slice<UnsafeRawBufferPointer>
  {
    var line = bytes
    while let last = line.last, isSpace(last) { line = line.dropLast() }
    while let first = line.first, isSpace(first) { line = line.dropFirst() }
    return line
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }
}
