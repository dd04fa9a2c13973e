import Models

/// Collects the field lines of a head or a trailer section (RFC 9112 §5).
struct FieldSection {
  /// The initial capacity, which is sufficient for most heads.
  private static let initialFieldCapacity = 12
  private static let initialByteCapacity = 384

  private let maximumFields: Int
  private let joinsFoldedLines: Bool
  private var fields = HTTPFields()
  /// The number of field lines so far, including continuation lines.
  private var count = 0

  /// - Parameter joinsFoldedLines: Whether an obsolete continuation line is joined with a space, as a user
  ///   agent must do (RFC 9112 §5.2); otherwise such a line is an error, as a server may decide.
  init(maximumFields: Int, joinsFoldedLines: Bool) {
    self.maximumFields = maximumFields
    self.joinsFoldedLines = joinsFoldedLines
  }

  /// Adds one non-empty line without its CR LF. The caller has excluded CR, LF and NUL.
  mutating func add(_ line: Range<Int>, of input: RawSpan) throws(HTTPParseError) {
    if ASCII.isBlank(input.byte(at: line.lowerBound)) {
      return try fold(line, of: input)
    }
    let name = line.lowerBound..<input.endOfToken(in: line)
    guard !name.isEmpty, name.upperBound < line.upperBound,
      input.byte(at: name.upperBound) == ASCII.colon
    else { throw Self.nameError(line, of: input) }
    if count == 0 {
      fields.reserveCapacity(fields: Self.initialFieldCapacity, bytes: Self.initialByteCapacity)
    }
    try countLine()
    let value = input.trimmed((name.upperBound + 1)..<line.upperBound)
    fields.append(name: input.extracting(name), value: input.extracting(value))
  }

  /// Returns the collected fields. Called at the empty line that ends the section.
  func finish() -> HTTPFields { fields }

  private static func nameError(_ line: Range<Int>, of input: RawSpan) -> HTTPParseError {
    guard let colon = input.firstOffset(of: ASCII.colon, in: line) else {
      return HTTPParseError(.fieldName, "header line without a colon: \"\(input.escaped(line))\"")
    }
    let name = input.escaped(line.lowerBound..<colon)
    return HTTPParseError(.fieldName, "\"\(name)\" is not a header name")
  }

  private mutating func fold(_ line: Range<Int>, of input: RawSpan) throws(HTTPParseError) {
    guard joinsFoldedLines, count > 0 else {
      throw HTTPParseError(
        .fold, "header line begins with white space: \"\(input.escaped(line))\"")
    }
    try countLine()
    let more = input.trimmed(line)
    if !more.isEmpty { fields.fold(input.extracting(more)) }
  }

  private mutating func countLine() throws(HTTPParseError) {
    guard count < maximumFields else {
      throw HTTPParseError(.tooManyFields, "more than \(maximumFields) header lines")
    }
    count += 1
  }
}
