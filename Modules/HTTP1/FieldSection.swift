import Models

/// Collects the field lines of a head or a trailer section (RFC 9112 §5).
struct FieldSection {
  /// What most heads have room in.
  private static let usualFields = 12
  private static let usualOctets = 384

  private let maximumFields: Int
  private let joinsFoldedLines: Bool
  private var fields = HTTPFields()
  /// Lines, also those that continue others.
  private var count = 0

  /// - Parameter joinsFoldedLines: an obsolete continuation becomes one space, as a user agent has
  ///   to do (RFC 9112 §5.2); otherwise it is an error, as a server may decide.
  init(maximumFields: Int, joinsFoldedLines: Bool) {
    self.maximumFields = maximumFields
    self.joinsFoldedLines = joinsFoldedLines
  }

  /// Takes one non-empty line without its CR LF, in which CR, LF and NUL have been ruled out.
  mutating func add(_ line: Range<Int>, of input: RawSpan) throws(HTTPParseError) {
    if Octet.isBlank(input.octet(line.lowerBound)) {
      return try fold(line, of: input)
    }
    let name = line.lowerBound..<input.endOfToken(in: line)
    guard !name.isEmpty, name.upperBound < line.upperBound,
      input.octet(name.upperBound) == Octet.colon
    else { throw Self.nameError(line, of: input) }
    if count == 0 {
      fields.reserveCapacity(fields: Self.usualFields, octets: Self.usualOctets)
    }
    try countLine()
    let value = input.trimmed((name.upperBound + 1)..<line.upperBound)
    fields.append(name: input.extracting(name), value: input.extracting(value))
  }

  /// The fields, when the empty line has come.
  func finish() -> HTTPFields { fields }

  private static func nameError(_ line: Range<Int>, of input: RawSpan) -> HTTPParseError {
    guard let colon = input.firstOffset(of: Octet.colon, in: line) else {
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
