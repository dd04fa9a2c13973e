/// Reads JSON Lines: a JSON string or an object with `url` on each line; blank lines are skipped.
///
/// A line that cannot be parsed becomes a problem with the line's number; reading continues with the next
/// line.
struct JSONLinesReader: Sendable {
  private struct Line: JSONEventHandler, Sendable {
    var entry = EntryReader()
    var draft: EntryDraft?

    mutating func handle(_ event: JSONEvent) { draft = entry.handle(event) ?? draft }
  }

  private var parser: JSONEventParser
  private var line = Line()
  private var number: Int
  private var fault: String?

  /// - Parameter number: The number of the first line.
  init(limits: ManifestLimits, line number: Int) {
    parser = JSONEventParser(limits: limits, line: number)
    self.number = number
  }

  mutating func receive(_ bytes: RawSpan, into collector: inout EntryCollector) {
    var start = 0
    while let newline = bytes.firstIndex(of: 0x0a, from: start) {
      read(bytes.extracting(start..<newline))
      endLine(into: &collector)
      start = newline &+ 1
    }
    read(bytes.extracting(start..<bytes.byteCount))
  }

  mutating func finish(into collector: inout EntryCollector) { endLine(into: &collector) }

  private mutating func read(_ bytes: RawSpan) {
    guard fault == nil else { return }
    do throws(ManifestError) {
      try parser.receive(bytes, into: &line)
    } catch {
      fail(error)
    }
  }

  private mutating func endLine(into collector: inout EntryCollector) {
    if fault == nil, !parser.isBlank {
      do throws(ManifestError) {
        try parser.finish(into: &line)
      } catch {
        fail(error)
      }
    }
    if let fault {
      collector.addProblem(fault, line: number)
    } else if let draft = line.draft {
      collector.addEntry(draft, line: number)
    }
    number &+= 1
    fault = nil
    line = Line()
    parser.restart(atLine: number)
  }

  private mutating func fail(_ error: ManifestError) {
    fault = error.column.map { "column \($0): \(error.reason)" } ?? error.reason
  }
}
