import Models

/// An incremental parser of rows of delimiter-separated fields (RFC 4180), with bounded memory.
///
/// ```swift
/// parser.append(chunk)
/// while let event = parser.next() { … }   // after the last chunk: parser.finish(), then next() again
/// ```
///
/// - A row ends with LF, CRLF or CR. A byte order mark at the start and blank rows are skipped.
/// - A field in quotation marks may contain delimiters, line ends and doubled quotation marks. Spaces around
///   the quotation marks are skipped. A quotation mark inside of a field without quotation marks is text.
/// - A fault costs the line on which it begins: parsing continues with the line after it, so that a
///   quotation mark that is never closed does not hide the rows that follow.
/// - The events do not depend on how the bytes are divided into chunks.
struct CSVParser: Sendable {
  enum Event: Equatable, Sendable {
    /// A row; ``columnCount``, ``text(_:)`` and ``rowLine`` describe it until the next call of a mutating method.
    case row
    /// A row that cannot be read. Lines and columns are counted from 1, columns in bytes.
    case fault(line: Int, column: Int, reason: String)
  }

  enum State: Sendable {
    /// At the beginning of a field, after spaces at most.
    case start
    case plain
    case quoted
    /// After a quotation mark inside of a quoted field, which closes the field unless another one follows.
    case closing
    /// After the closing quotation mark and a space.
    case closed
    /// In the rest of a line that is not read.
    case skipping
  }

  /// A field's bytes in the buffer, without its quotation marks.
  struct Field: Sendable {
    var range: Range<Int>
    var isQuoted = false
    var hasDoubledMarks = false
  }

  /// The largest number of fields of a row.
  static let maximumColumns = 4096
  /// The reason of the fault of a row with more fields.
  static let tooManyColumns = "the row has more than \(maximumColumns) columns"

  let delimiter: UInt8
  /// The largest length of a row in bytes.
  private let limit: Int
  /// Whether a field with misplaced quotation marks is text. Programs that write tab-separated values often
  /// write quotation marks as they are.
  private let readsMarksAsText: Bool
  var buffer: [UInt8] = []
  /// The index of the first byte of the current row.
  var rowStart = 0
  /// The index of the next byte.
  var index = 0
  var state = State.start
  var fields: [Field] = []
  /// The index of the first byte of the current field.
  private var fieldStart = 0
  /// The index and the line of the current field's opening quotation mark.
  var mark = 0
  var markLine = 1
  private var markEnd = 0
  private var hasDoubledMarks = false
  private var hasDelimiterInside = false
  private var hasLineEndInside = false
  /// The line of the current row.
  private(set) var rowLine = 1
  /// The line of the next byte.
  var line = 1
  /// Whether the byte before the next one is a CR, so that an LF belongs to the same line end.
  var followsCR = false
  private var isRowComplete = false
  private var isBegun = false
  private var isEnded = false

  init(delimiter: UInt8, limits: ManifestLimits) {
    self.delimiter = delimiter
    limit = limits.textLength
    readsMarksAsText = delimiter == 0x09
  }

  /// Adds the next bytes of the table.
  mutating func append(_ bytes: RawSpan) {
    if isRowComplete { startRow(at: index) }
    let consumed = state == .skipping ? index : rowStart
    if consumed > 0 {
      buffer.removeFirst(consumed)
      index &-= consumed
      rowStart = max(0, rowStart &- consumed)
      fieldStart = max(0, fieldStart &- consumed)
      mark = max(0, mark &- consumed)
      markEnd = max(0, markEnd &- consumed)
      for number in fields.indices {
        let range = fields[number].range
        fields[number].range = (range.lowerBound &- consumed)..<(range.upperBound &- consumed)
      }
    }
    bytes.withUnsafeBytes { buffer.append(contentsOf: $0) }
  }

  /// Ends the table; the rest of its events follows.
  mutating func finish() { isEnded = true }

  /// Returns the next event; nil if more bytes are needed, or after the end.
  mutating func next() -> Event? {
    if isRowComplete { startRow(at: index) }
    guard begin() else { return nil }
    while true {
      while index < buffer.count {
        if let event = advance() { return event }
        if isRowComplete {
          if !isBlank { return .row }
          startRow(at: index)
        }
      }
      guard isEnded else { return nil }
      switch end() {
      case .event(let event): return event
      case .again: continue
      case .over: return nil
      }
    }
  }

  /// Skips byte order marks. Returns false if there are too few bytes to recognize one.
  private mutating func begin() -> Bool {
    guard !isBegun else { return true }
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    var start = 0
    while buffer[start...].starts(with: mark) { start &+= mark.count }
    guard buffer.count &- start >= mark.count || isEnded else { return false }
    isBegun = true
    if start > 0 { startRow(at: start) }
    return true
  }

  mutating func startRow(at start: Int) {
    (rowStart, index, fieldStart) = (start, start, start)
    rowLine = line
    fields.removeAll(keepingCapacity: true)
    isRowComplete = false
    state = .start
  }

  /// Whether all fields of the row are empty, as in the rows that spreadsheets write after the last one.
  private var isBlank: Bool {
    fields.allSatisfy { field in
      !field.isQuoted && field.range.allSatisfy { buffer[$0] == 0x20 }
    }
  }

  private mutating func advance() -> Event? {
    let byte = buffer[index]
    if byte == 0x0a, followsCR, index == rowStart || state == .quoted || state == .skipping {
      // The LF belongs to the line end that the CR before it began.
      followsCR = false
      if index == rowStart, state != .quoted { startRow(at: index &+ 1) } else { index &+= 1 }
      return nil
    }
    followsCR = false
    if index &- rowStart > limit, state != .skipping { return tooLong() }
    switch state {
    case .skipping:
      if isLineEnd(byte) { endLine(byte) } else { index &+= 1 }
      followsCR = byte == 0x0d
    case .start where byte == 0x22:
      (mark, markLine) = (index, line)
      (hasDoubledMarks, hasDelimiterInside, hasLineEndInside) = (false, false, false)
      state = .quoted
      index &+= 1
    case .start, .plain:
      if byte == delimiter || isLineEnd(byte) { return endField(byte) }
      if byte != 0x20 { state = .plain }
      index &+= 1
    case .quoted: return quoted(byte)
    case .closing where byte == 0x22:
      hasDoubledMarks = true
      state = .quoted
      index &+= 1
    case .closing, .closed:
      if byte == delimiter || isLineEnd(byte) { return endField(byte) }
      guard byte == 0x20 else { return misplaced(byte) }
      state = .closed
      index &+= 1
    }
    return nil
  }

  private mutating func quoted(_ byte: UInt8) -> Event? {
    switch byte {
    case 0x22:
      markEnd = index
      state = .closing
    case 0x0a, 0x0d:
      hasLineEndInside = true
      line &+= 1
    case delimiter:
      hasDelimiterInside = true
    default: break
    }
    followsCR = byte == 0x0d
    index &+= 1
    // A whole row between two quotation marks means that the first of them is a part of the text.
    if readsMarksAsText, hasDelimiterInside, hasLineEndInside { readFieldAsText() }
    return nil
  }

  /// Ends the current field at a delimiter or a line end.
  private mutating func endField(_ byte: UInt8) -> Event? {
    guard fields.count < Self.maximumColumns else {
      state = .skipping
      return .fault(
        line: rowLine, column: column(of: index), reason: Self.tooManyColumns)
    }
    addField()
    state = .start
    if byte == delimiter {
      index &+= 1
      fieldStart = index
    } else {
      isRowComplete = true
      line &+= 1
      index &+= 1
      followsCR = byte == 0x0d
    }
    return nil
  }

  private mutating func addField() {
    if state == .closing || state == .closed {
      fields.append(
        Field(range: mark &+ 1..<markEnd, isQuoted: true, hasDoubledMarks: hasDoubledMarks))
    } else {
      fields.append(Field(range: fieldStart..<index))
    }
  }

  /// Reads the current field again, with its quotation marks as text.
  private mutating func readFieldAsText() {
    index = fieldStart
    line = markLine
    followsCR = false
    state = .plain
  }

  private enum Ending { case event(Event), again, over }

  /// Handles the end of the table at the end of the buffer.
  private mutating func end() -> Ending {
    switch state {
    case .skipping: return .over
    case .quoted where readsMarksAsText:
      readFieldAsText()
      return .again
    case .quoted:
      return .event(fault("the quotation mark is not closed before the end of the list"))
    case .start, .plain, .closing, .closed:
      guard index > rowStart else { return .over }
      if let event = endField(0x0a) { return .event(event) }
      index = buffer.count
      if isBlank {
        startRow(at: index)
        return .over
      }
      return .event(.row)
    }
  }

  private mutating func tooLong() -> Event? {
    if state == .quoted {
      guard !readsMarksAsText else {
        readFieldAsText()
        return nil
      }
      return fault(
        "the quotation mark is not closed within \(limit) bytes (limits.manifestTextBytes)")
    }
    let event = Event.fault(
      line: rowLine, column: 1,
      reason: "the row is longer than \(limit) bytes (limits.manifestTextBytes)")
    skipLine(from: index, line: line)
    return event
  }

  /// Handles text after a closing quotation mark.
  private mutating func misplaced(_ byte: UInt8) -> Event? {
    guard !readsMarksAsText else {
      readFieldAsText()
      return nil
    }
    guard line == markLine else {
      return fault("the quotation mark is not closed before line \(line)")
    }
    let event = Event.fault(
      line: line, column: column(of: index),
      reason: "expected \(Self.name(delimiter)) after the closing quotation mark")
    skipLine(from: mark, line: markLine)
    return event
  }

  /// Reports a fault at the opening quotation mark.
  private mutating func fault(_ reason: String) -> Event {
    let event = Event.fault(line: markLine, column: column(of: mark), reason: reason)
    skipLine(from: mark, line: markLine)
    return event
  }

  private static func name(_ delimiter: UInt8) -> String {
    delimiter == 0x09 ? "a tab" : "\"\(Unicode.Scalar(delimiter))\""
  }
}
