import JSON

/// Reads a message of gallery-dl from each line (`output.jsonl=true`); blank lines are skipped. A line that
/// cannot be parsed becomes a problem with the line's number, and reading continues with the next one.
struct GalleryLinesReader: Sendable {
  private var lines: JSONLines<GalleryLine>
  private var messages: GalleryMessages

  /// - Parameters:
  ///   - number: The number of the first line.
  ///   - messages: The state after the messages of earlier lines.
  init(limits: ManifestLimits, line number: Int, messages: GalleryMessages = GalleryMessages()) {
    lines = JSONLines(limits: limits, line: number)
    self.messages = messages
  }

  mutating func receive(_ bytes: RawSpan, into collector: inout EntryCollector) {
    var messages = messages
    lines.receive(bytes) { Self.add($0, to: &messages, &collector) }
    self.messages = messages
  }

  mutating func finish(into collector: inout EntryCollector) {
    var messages = messages
    lines.finish { Self.add($0, to: &messages, &collector) }
    self.messages = messages
  }

  private static func add(
    _ line: JSONLines<GalleryLine>.Line, to messages: inout GalleryMessages,
    _ collector: inout EntryCollector
  ) {
    switch line.content {
    case .fault(let reason): collector.addProblem(reason, line: line.number)
    case .value(let value):
      if let message = value.message {
        messages.add(message, line: line.number, to: &collector)
      } else {
        collector.addProblem("is not a message of gallery-dl", line: line.number)
      }
    }
  }

  /// Whether the text is an array of messages and not one message on each line.
  static func isArray(_ head: [UInt8]) -> Bool {
    let text = head.filter { $0 != 0x20 && !(0x09...0x0d).contains($0) }
    let start = text.starts(with: [0xef, 0xbb, 0xbf]) ? text.dropFirst(3) : text[...]
    return start.starts(with: "[[".utf8) || start.starts(with: "[]".utf8)
  }
}

/// The value of one line.
struct GalleryLine: JSONEventHandler, JSONLineValue {
  private(set) var message: GalleryMessage?
  private var isBegun = false

  init() {}

  mutating func handle(_ event: JSONEvent) {
    if isBegun {
      _ = message?.handle(event)
    } else {
      isBegun = true
      if event == .beginArray { message = GalleryMessage() }
    }
  }
}
