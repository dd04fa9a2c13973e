public import Models

/// An incremental parser of resource lists in all forms, with bounded memory.
///
/// ```swift
/// var parser = ManifestParser(name: "birds.json", base: url)
/// var items: [ManifestItem] = []
/// while let chunk = try next() {
///   try parser.receive(chunk, into: &items)   // use items, then items.removeAll(keepingCapacity:)
/// }
/// try parser.finish(into: &items)
/// ```
///
/// Items appended before an error are valid. An empty list is not an error: see ``entryCount`` and
/// ``problemCount``. The memory is bounded by one text of the list (``ManifestLimits``) and the items of one
/// chunk. The result does not depend on how the bytes are divided into chunks.
public struct ManifestParser: Sendable {
  private enum Stage { case head, json, following, lines, text, over }

  private let name: String
  private let limits: ManifestLimits
  private let demanded: ManifestFormat?
  private var stage = Stage.head
  /// The first bytes of the list, kept until they suffice to recognize its form.
  private var head: [UInt8] = []
  private var json: JSONEventParser
  /// The JSON document, whose collector is shared by the readers of all forms.
  private var document: ManifestDocument
  /// The line at which the first JSON value ended.
  private var lastLine = 1
  private var lines: JSONLinesReader
  private var text: TextListReader
  /// The number of further bytes that the size limit allows.
  private var left: Int
  private var failure: ManifestError?

  /// The form of the list; nil until it is recognized. `json` may still become `jsonLines` or `series`.
  public private(set) var format: ManifestFormat?

  /// - Parameters:
  ///   - format: The requested form; nil to recognize the form from the content.
  ///   - name: The list's name in messages.
  ///   - base: The URL of the list, for relative entries and for a series (`BASE/series` or BASE itself); nil
  ///     for a file.
  ///   - limits: The limits of the list and of the memory for parsing it.
  public init(
    format: ManifestFormat? = nil, name: String, base: HTTPURL? = nil,
    limits: ManifestLimits = ManifestLimits()
  ) {
    self.name = name
    self.limits = limits
    left = max(0, limits.bytes)
    demanded = format
    json = JSONEventParser(file: name, limits: limits, stopsAfterValue: format == nil)
    document = ManifestDocument(
      demanded: format, limits: limits,
      collector: EntryCollector(file: name, base: base, limit: limits.entries))
    lines = JSONLinesReader(limits: limits, line: 1)
    text = TextListReader(limits: limits)
  }

  /// The number of valid entries so far.
  public var entryCount: Int { document.collector.entryCount }

  /// The number of invalid entries so far.
  public var problemCount: Int { document.collector.problemCount }

  /// Parses the next bytes and appends the items that they complete.
  public mutating func receive(
    _ bytes: RawSpan, into items: inout [ManifestItem]
  ) throws(ManifestError) {
    try collecting(into: &items) { (parser) throws(ManifestError) in
      try parser.read(bytes.extracting(first: parser.left))
      guard bytes.byteCount <= parser.left else {
        throw ManifestError(
          .tooLarge, file: parser.name,
          "larger than \(parser.limits.bytes) bytes (limits.manifestBytes)")
      }
      parser.left &-= bytes.byteCount
    }
  }

  /// Ends the list and appends the items that its end completes.
  ///
  /// - Throws: ``ManifestError/Code/truncated`` if JSON is not complete, and the errors of
  ///   ``receive(_:into:)`` if the list is shorter than the bytes needed to recognize its form.
  public mutating func finish(into items: inout [ManifestItem]) throws(ManifestError) {
    try collecting(into: &items) { (parser) throws(ManifestError) in
      try parser.end()
    }
  }

  private mutating func collecting(
    into items: inout [ManifestItem],
    _ body: (inout ManifestParser) throws(ManifestError) -> Void
  ) throws(ManifestError) {
    if let failure { throw failure }
    // The caller's array is swapped in and out, so that its items are not copied.
    swap(&document.collector.items, &items)
    defer { swap(&document.collector.items, &items) }
    do throws(ManifestError) {
      try body(&self)
    } catch {
      failure = error
      throw error
    }
  }

  private mutating func read(_ bytes: RawSpan) throws(ManifestError) {
    guard stage == .head else { return try dispatch(bytes) }
    let missing = min(ResourceFormat.sniffLength &- head.count, bytes.byteCount)
    bytes.extracting(first: missing).withUnsafeBytes { head.append(contentsOf: $0) }
    guard head.count == ResourceFormat.sniffLength else { return }
    try beginWithHead()
    try dispatch(bytes.extracting(droppingFirst: missing))
  }

  private mutating func beginWithHead() throws(ManifestError) {
    try recognise()
    let first = head
    head = []
    try dispatch(first.span.bytes)
  }

  private mutating func dispatch(_ bytes: RawSpan) throws(ManifestError) {
    switch stage {
    case .json:
      let count = try json.receive(bytes, into: &document)
      guard count < bytes.byteCount || (json.stopsAfterValue && json.isComplete) else { return }
      stage = .following
      json.stopsAfterValue = false
      lastLine = json.line
      try dispatchFollowing(bytes.extracting(droppingFirst: count))
    case .following: try dispatchFollowing(bytes)
    case .lines: lines.receive(bytes, into: &document.collector)
    case .text: text.receive(bytes, into: &document.collector)
    case .head, .over: break
    }
    if document.collector.isOver { throw document.collector.tooMany }
  }

  /// Handles bytes after the first JSON value. A further value on a new line means that the list is JSON
  /// Lines.
  private mutating func dispatchFollowing(_ bytes: RawSpan) throws(ManifestError) {
    let end = bytes.endOfWhiteSpace
    try json.receive(bytes.extracting(first: end), into: &document)
    guard end < bytes.byteCount else { return }
    let rest = bytes.extracting(droppingFirst: end)
    if document.mode == .undecided, json.line > lastLine {
      document.resolveAsLine(lastLine)
      lines = JSONLinesReader(limits: limits, line: json.line)
      (stage, format) = (.lines, .jsonLines)
      try dispatch(rest)
    } else {
      try json.receive(rest, into: &document)
    }
  }

  private mutating func end() throws(ManifestError) {
    if stage == .head { try beginWithHead() }
    switch stage {
    case .json, .following:
      try json.finish(into: &document)
      try document.resolveAsWhole()
    case .lines: lines.finish(into: &document.collector)
    case .text: text.finish(into: &document.collector)
    case .head, .over: break
    }
    if document.collector.isOver { throw document.collector.tooMany }
    stage = .over
    if document.isSeries { format = .series }
  }
}

extension ManifestParser {
  /// Selects the stage by the requested form, or else by the first bytes. Web pages and encodings other than
  /// UTF-8 are always rejected.
  private mutating func recognise() throws(ManifestError) {
    let recognition = ManifestRecognition.recognise(head: head)
    switch recognition {
    case .webPage:
      throw ManifestError(.webPage, file: name, "this is a web page, not a list")
    case .encoding(let encoding):
      throw ManifestError(
        .encoding, file: name, "the text is \(encoding); convert it to UTF-8 first")
    case .list(let form): format = demanded ?? form
    case .archive, .resource:
      // A text may begin with an image format's magic number by chance, but a JSON list cannot.
      format = demanded == .text && Self.isText(head) ? demanded : nil
    case .unknown: format = demanded
    }
    switch format {
    case .json, .series: stage = .json
    case .jsonLines: stage = .lines
    case .text: stage = .text
    case .zip, .html, .listing, .singleResource, nil:
      throw ManifestError(.notAList, file: name, Self.nature(recognition, demanded))
    }
  }

  /// Whether the bytes are valid UTF-8 without NULs. The last character may be incomplete.
  private static func isText(_ head: [UInt8]) -> Bool {
    !head.contains(0)
      && (0..<4).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
  }

  private static func nature(
    _ recognition: ManifestRecognition, _ demanded: ManifestFormat?
  ) -> String {
    switch recognition {
    case .archive(let format), .resource(let format):
      "the content is \(format.displayName), not a list"
        + (demanded.map { " of the form \"\($0.rawValue)\"" } ?? "")
    default:
      demanded.map { "a source of the form \"\($0.rawValue)\" is not read as a list" }
        ?? "this is not a list of URLs in a known format"
    }
  }
}
