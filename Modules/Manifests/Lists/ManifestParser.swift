import JSON
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
  private enum Stage {
    case head, sample, json, following, lines, text, table, aria2, messages, over
  }

  /// The number of bytes that are read before a text is taken for a table or another kind of list.
  static let sampleLength = 64 << 10

  private let name: String
  private let limits: ManifestLimits
  private let demanded: ManifestFormat?
  private let columns: ListColumns
  private let recorded: RecordedLayout?
  /// Whether the name of the list, or its media type, is that of a table.
  private let isNamedTable: Bool
  private var stage = Stage.head
  /// Converts a text in UTF-16; nil for UTF-8.
  private var wide: UTF16Decoder?
  /// The first bytes of the list, kept until they suffice to recognize its form.
  private var head: [UInt8] = []
  private var json: JSONParser
  /// The JSON document, whose collector is shared by the readers of all forms.
  private var document: ManifestDocument
  /// The line at which the first JSON value ended.
  private var lastLine = 1
  /// The error in the first line of JSON, if the lines after it may be JSON Lines. It is that of the list if they are
  /// not.
  private var firstLineError: ManifestError?
  /// Whether JSON of no demanded form has been read at most to the first character of its second line.
  private var isBeginning: Bool
  private var lines: JSONLinesReader
  private var text: TextListReader
  private var table: TableReader?
  private var aria2: Aria2Reader
  private var messages: GalleryLinesReader
  /// The number of further bytes that the size limit allows.
  private var left: Int
  private var failure: ManifestError?

  /// The form by the first bytes; nil until it is recognized.
  private var form: ManifestFormat?
  /// The form of the list; nil until it is recognized. Before the first entry, `json` may still become another
  /// form; after it, only `jsonLines` or `galleryDL`.
  public var format: ManifestFormat? { document.specialForm ?? form }
  /// The form of the list as it is stored with its source; nil until it is recognized.
  public var contentFormat: ContentFormat? {
    format.map { ContentFormat($0, isNameMap: document.isNameMap) }
  }
  /// Whether the next page of the list is known from elsewhere, such as a header field. Set before the first bytes.
  public var hasNextPage: Bool {
    get { document.collector.hasNextPage }
    set { document.collector.hasNextPage = newValue }
  }
  /// The way in which a text is read; nil until it is recognised, and for other forms.
  public private(set) var layout: RecordedLayout?

  /// - Parameters:
  ///   - format: The requested form; nil to recognize the form from the content.
  ///   - name: The list's name in messages.
  ///   - base: The URL of the list, for relative entries and for a series (`BASE/series` or BASE itself); nil
  ///     for a file.
  ///   - limits: The limits of the list and of the memory for parsing it.
  ///   - columns: The columns of a table that the user names. A text whose format is to be recognised is a table
  ///     if there are any.
  ///   - layout: The way in which an earlier reading has read the text, which this one keeps to if it can.
  ///   - isTable: Whether the server says that the list is a table.
  public init(
    format: ManifestFormat? = nil, name: String, base: HTTPURL? = nil,
    limits: ManifestLimits = ManifestLimits(), columns: ListColumns = ListColumns(),
    layout: RecordedLayout? = nil, isTable: Bool = false
  ) {
    self.name = name
    isNamedTable = isTable || TableRecognition.isTableName(name)
    self.limits = limits
    left = max(0, limits.bytes)
    demanded = format
    isBeginning = format == nil
    self.columns = columns
    recorded = layout
    json = JSONParser(limits, stopsAfterValue: format == nil)
    document = ManifestDocument(
      demanded: format, limits: limits,
      collector: EntryCollector(file: name, base: base, limit: limits.entries))
    lines = JSONLinesReader(limits: limits, line: 1)
    text = TextListReader(limits: limits, refusesRows: format == nil)
    aria2 = Aria2Reader(limits: limits)
    messages = GalleryLinesReader(limits: limits, line: 1)
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
        // The entries within the limit are valid, even if the kind of the list is not known yet.
        if parser.stage == .head || parser.stage == .sample {
          try? parser.begin(isSampled: true, isWhole: false)
        }
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
      document.releaseItems()
      failure = error
      throw error
    }
  }

  private mutating func read(_ bytes: RawSpan) throws(ManifestError) {
    guard let text = wide?.decode(bytes) else { return try readText(bytes) }
    try readText(text.span.bytes)
  }

  private mutating func readText(_ bytes: RawSpan) throws(ManifestError) {
    guard stage == .head || stage == .sample else { return try dispatch(bytes) }
    let length = stage == .head ? ResourceFormat.sniffLength : Self.sampleLength
    let missing = min(length &- head.count, bytes.byteCount)
    bytes.extracting(first: missing).withUnsafeBytes { head.append(contentsOf: $0) }
    guard head.count == length else { return }
    let isDecoded = wide != nil
    try begin(isSampled: stage == .sample, isWhole: false)
    let rest = bytes.extracting(droppingFirst: missing)
    if isDecoded { try readText(rest) } else { try read(rest) }
  }

  /// Selects the stage by the first bytes, and reads them unless more of them are needed.
  private mutating func begin(isSampled: Bool, isWhole: Bool) throws(ManifestError) {
    if stage == .head { try recognise() }
    if stage == .sample {
      guard isSampled || isWhole else { return }
      try recogniseSample(isWhole: isWhole)
    }
    let first = head
    head = []
    try dispatch(first.span.bytes)
  }

  private mutating func dispatch(_ bytes: RawSpan) throws(ManifestError) {
    switch stage {
    case .json where isBeginning: try dispatchBeginning(bytes)
    case .json:
      let count = try json.receive(bytes, into: &document, file: name)
      guard count < bytes.byteCount || (json.stopsAfterValue && json.isComplete) else { return }
      stage = .following
      json.stopsAfterValue = false
      lastLine = json.line
      try dispatchFollowing(bytes.extracting(droppingFirst: count))
    case .following: try dispatchFollowing(bytes)
    case .lines: lines.receive(bytes, into: &document.collector)
    case .text: text.receive(bytes, into: &document.collector)
    case .table: table?.receive(bytes, into: &document.collector)
    case .aria2: aria2.receive(bytes, into: &document.collector)
    case .messages: messages.receive(bytes, into: &document.collector)
    case .head, .sample, .over: break
    }
    if document.collector.isOver { throw document.collector.tooMany }
  }

  /// Handles bytes of JSON up to the first character of its second line.
  private mutating func dispatchBeginning(_ bytes: RawSpan) throws(ManifestError) {
    guard bytes.byteCount > 0 else { return }
    if firstLineError != nil || json.line == 1 {
      let newline = bytes.firstIndex(of: 0x0a, from: 0)
      let end = newline.map { $0 &+ 1 } ?? bytes.byteCount
      let isRead = try readsBeginning(bytes.extracting(first: end))
      guard isRead || newline != nil else { return }
      if !isRead { beginLines(2) }
      return try dispatch(bytes.extracting(droppingFirst: end))
    }
    let start = bytes.endOfWhiteSpace
    try json.receive(bytes.extracting(first: start), into: &document, file: name)
    guard start < bytes.byteCount else { return }
    if "{[\"".utf8.contains(bytes.byte(start)) {
      // A value in the first line that has no end there ends with the value of the second line.
      let isRead = try readsBeginning(bytes.extracting(start..<(start &+ 1)))
      if !isRead { beginLines(json.line) }
      isBeginning = false
      return try dispatch(bytes.extracting(droppingFirst: isRead ? start &+ 1 : start))
    }
    isBeginning = false
    try dispatch(bytes.extracting(droppingFirst: start))
  }

  /// - Returns: Whether the bytes could be read. Otherwise the list may be JSON Lines, in which a bad line costs only
  ///   itself; the lines after it decide.
  private mutating func readsBeginning(_ bytes: RawSpan) throws(ManifestError) -> Bool {
    guard firstLineError == nil else { return false }
    do throws(ManifestError) {
      let count = try json.receive(bytes, into: &document, file: name)
      guard json.stopsAfterValue && json.isComplete else { return true }
      (isBeginning, stage, json.stopsAfterValue) = (false, .following, false)
      lastLine = json.line
      try dispatchFollowing(bytes.extracting(droppingFirst: count))
      return true
    } catch {
      guard stage == .json, document.mayBeLine, Self.concernsLine(error) else { throw error }
      firstLineError = error
      return false
    }
  }

  private static func concernsLine(_ error: ManifestError) -> Bool {
    [.notJSON, .encoding, .tooDeep, .tooLong].contains(error.code)
  }

  /// Continues with JSON Lines after a first line that cannot be read.
  private mutating func beginLines(_ line: Int) {
    isBeginning = false
    if let error = firstLineError {
      let reason = error.column.map { "column \($0): \(error.reason)" } ?? error.reason
      document.collector.addProblem(reason, line: 1)
    }
    if document.mode == .message {
      messages = GalleryLinesReader(limits: limits, line: line, messages: document.messages)
      (stage, form) = (.messages, .galleryDL)
    } else {
      lines = JSONLinesReader(limits: limits, line: line)
      (stage, form) = (.lines, .jsonLines)
    }
  }

  /// Handles bytes after the first JSON value. A further value on a new line means that the list is JSON
  /// Lines.
  private mutating func dispatchFollowing(_ bytes: RawSpan) throws(ManifestError) {
    let end = bytes.endOfWhiteSpace
    try json.receive(bytes.extracting(first: end), into: &document, file: name)
    guard end < bytes.byteCount else { return }
    let rest = bytes.extracting(droppingFirst: end)
    if document.mode == .undecided, json.line > lastLine {
      let isMessage = document.message != nil
      document.resolveAsLine(lastLine)
      if isMessage {
        messages = GalleryLinesReader(
          limits: limits, line: json.line, messages: document.messages)
        (stage, form) = (.messages, .galleryDL)
      } else {
        lines = JSONLinesReader(limits: limits, line: json.line)
        (stage, form) = (.lines, .jsonLines)
      }
      try dispatch(rest)
    } else {
      try json.receive(rest, into: &document, file: name)
    }
  }

  private mutating func end() throws(ManifestError) {
    if stage == .head || stage == .sample { try begin(isSampled: true, isWhole: true) }
    if let last = wide?.finish(), !last.isEmpty { try dispatch(last.span.bytes) }
    switch stage {
    case .json, .following:
      try json.finish(into: &document, file: name)
      try document.resolveAsWhole()
    case .lines: lines.finish(into: &document.collector)
    case .text: text.finish(into: &document.collector)
    case .table: table?.finish(into: &document.collector)
    case .aria2: aria2.finish(into: &document.collector)
    case .messages: messages.finish(into: &document.collector)
    case .head, .sample, .over: break
    }
    if document.collector.isOver { throw document.collector.tooMany }
    if let firstLineError, entryCount == 0 { throw firstLineError }
    stage = .over
  }
}

extension ManifestParser {
  /// Selects the stage by the requested form, or else by the first bytes. Web pages and encodings other than
  /// UTF-8 and UTF-16 are always rejected.
  private mutating func recognise() throws(ManifestError) {
    if var decoder = UTF16Decoder(head) {
      head = decoder.decode(head.span.bytes)
      wide = decoder
    }
    let recognition = ManifestRecognition.recognise(head: head)
    switch recognition {
    case .webPage:
      throw ManifestError(.webPage, file: name, "this is a web page, not a list")
    case .xml, .otherMarkup:
      throw ManifestError(
        .notAList, file: name, "this is an XML document, not a list in JSON or text")
    case .encoding(let encoding):
      throw ManifestError(
        .encoding, file: name, "the text is \(encoding); convert it to UTF-8 first")
    case .list(let recognised): form = demanded ?? recognised
    case .archive, .zstd, .resource:
      // A text may begin with an image format's magic number by chance, but a JSON list cannot.
      form = demanded?.isLines == true && Self.isText(head) ? demanded : nil
    case .unknown: form = demanded
    }
    switch form {
    case .json where demanded == nil && Self.beginsWithQuotationMark(head): stage = .sample
    case .json, .series, .feed, .iiif: stage = .json
    case .jsonLines: stage = .lines
    case .text: stage = demanded == nil ? .sample : .text
    case .csv, .tsv: stage = .sample
    case .aria2: stage = .aria2
    case .galleryDL: stage = GalleryLinesReader.isArray(head) ? .json : .messages
    case .zip, .html, .listing, .sitemap, .metalink, .bucket, .singleResource, nil:
      throw ManifestError(.notAList, file: name, Self.nature(recognition, demanded))
    }
    if stage != .sample, let reason = columns.refusal(by: form) {
      throw ManifestError(.shape, file: name, reason)
    }
  }

  /// Selects the stage of a text whose kind more than the first few bytes tell.
  private mutating func recogniseSample(isWhole: Bool) throws(ManifestError) {
    // A URI of another scheme before that of the web, as aria2 permits, makes columns of a table.
    if demanded == nil, columns.isEmpty, recorded == nil, form != .json,
      Aria2Recognition.recognisesColumns(head)
    {
      (stage, form) = (.aria2, .aria2)
      return
    }
    let search = TableLayout.Search(
      sample: head, isWhole: isWhole, format: demanded, columns: columns, recorded: recorded,
      isNamedTable: isNamedTable)
    let isAria2 = demanded == nil && form != .json && Aria2Recognition.recognises(head)
    let table: TableLayout?
    do throws(TableLayout.Fault) {
      table = try TableLayout.find(search, limits: limits)
      if table == nil, !isAria2 { try search.checkIsList(limits: limits) }
    } catch {
      throw ManifestError(.shape, file: name, line: error.line, error.reason)
    }
    if let table {
      self.table = TableReader(table, limits: limits)
      (stage, form) = (.table, demanded ?? (table.delimiter == 0x09 ? .tsv : .csv))
      layout = .table(table.recorded)
    } else if demanded != nil {
      guard isWhole else {
        throw ManifestError(
          .shape, file: name, "the first \(Self.sampleLength) bytes have no row of a table")
      }
      stage = .text
    } else if form == .json {
      stage = .json
    } else if isAria2 {
      (stage, form) = (.aria2, .aria2)
    } else {
      stage = .text
      layout = .lines
    }
  }
}
