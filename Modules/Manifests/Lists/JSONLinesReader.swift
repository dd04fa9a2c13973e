import JSON

/// Reads JSON Lines: a JSON string or an object with `url` on each line; blank lines are skipped.
///
/// A line that cannot be parsed becomes a problem with the line's number; reading continues with the next
/// line.
struct JSONLinesReader: Sendable {
  private struct EntryLine: JSONLineValue {
    var entry = EntryReader()
    var draft: EntryDraft?

    mutating func handle(_ event: JSONEvent) {
      if let complete = entry.handle(event) { draft = complete }
    }
  }

  private var lines: JSONLines<EntryLine>

  /// - Parameter number: The number of the first line.
  init(limits: ManifestLimits, line number: Int) {
    lines = JSONLines(limits: limits, line: number)
  }

  mutating func receive(_ bytes: RawSpan, into collector: inout EntryCollector) {
    lines.receive(bytes) { Self.add($0, to: &collector) }
  }

  mutating func finish(into collector: inout EntryCollector) {
    lines.finish { Self.add($0, to: &collector) }
  }

  private static func add(
    _ line: JSONLines<EntryLine>.Line, to collector: inout EntryCollector
  ) {
    switch line.content {
    case .fault(let reason): collector.addProblem(reason, line: line.number)
    case .value(let value):
      if let draft = value.draft { collector.addEntry(draft, line: line.number) }
    }
  }
}
