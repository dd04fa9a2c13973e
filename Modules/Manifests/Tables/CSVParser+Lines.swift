import Models

extension CSVParser {
  func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0a || byte == 0x0d }

  /// Consumes a line end and begins a row after it.
  mutating func endLine(_ byte: UInt8) {
    line &+= 1
    startRow(at: index &+ 1)
  }

  /// Continues after the first line end at or after `start`, which is in line `number`.
  mutating func skipLine(from start: Int, line number: Int) {
    fields.removeAll(keepingCapacity: true)
    line = number
    followsCR = false
    var place = start
    while place < buffer.count, !isLineEnd(buffer[place]) { place &+= 1 }
    index = place
    guard place < buffer.count else {
      state = .skipping
      return
    }
    let byte = buffer[place]
    endLine(byte)
    followsCR = byte == 0x0d
  }

  /// Returns the column of a byte in its line, from 1.
  func column(of place: Int) -> Int {
    var start = place
    while start > rowStart, !isLineEnd(buffer[start &- 1]) { start &-= 1 }
    return place &- start &+ 1
  }

  // MARK: - The current row

  var columnCount: Int { fields.count }

  /// Whether a field without quotation marks begins with a space, which ``text(_:)`` leaves out.
  func beginsWithSpace(_ column: Int) -> Bool {
    guard column < fields.count, !fields[column].isQuoted else { return false }
    return fields[column].range.first.map { buffer[$0] == 0x20 } ?? false
  }

  func isQuoted(_ column: Int) -> Bool { column < fields.count && fields[column].isQuoted }

  /// Returns the text of a field, without the spaces around a field that has no quotation marks; empty if the
  /// row has fewer fields, nil if the text is not UTF-8.
  func text(_ column: Int) -> String? {
    withBytes(of: column) { $0.bytes.text }
  }

  /// Returns the text of a field as ``text(_:)`` does; a text that is not UTF-8 is taken for windows-1252, in which
  /// spreadsheet programs write tables.
  func decodedText(_ column: Int) -> String {
    text(column) ?? withBytes(of: column) { Windows1252.text($0) }
  }

  /// Calls a function with the bytes of a field, without what does not belong to its text.
  private func withBytes<Value>(of column: Int, _ body: (Span<UInt8>) -> Value) -> Value {
    guard column < fields.count else { return body([UInt8]().span) }
    let field = fields[column]
    var range = field.range
    if !field.isQuoted {
      while let first = range.first, buffer[first] == 0x20 { range.removeFirst() }
      while let last = range.last, buffer[last] == 0x20 { range.removeLast() }
    }
    guard field.hasDoubledMarks else { return body(buffer.span.extracting(range)) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    var isFirst = false
    for byte in buffer[range] {
      // The first one of two quotation marks only announces the second one.
      isFirst = byte == 0x22 && !isFirst
      if !isFirst { bytes.append(byte) }
    }
    return body(bytes.span)
  }
}
