import Models

/// Collects the field lines of a head or a trailer section (RFC 9112 §5).
struct FieldSection {
  /// The initial capacity, which is sufficient for most heads.
  private static let initialFieldCapacity = 12
  private static let initialByteCapacity = 384

  private let maximumFields: Int
  private let isOfResponse: Bool
  private var fields = HTTPFields()
  /// The number of field lines so far, including continuation lines.
  private var count = 0

  /// Whether the section contains a line that a strict parser rejects.
  private(set) var hasMalformedLine = false
  /// Whether the last line had a name that is not a token, so that its continuation lines are dropped too.
  private var isLastDropped = false

  /// - Parameter isOfResponse: Whether the section belongs to a response. An obsolete continuation line is then
  ///   joined with a space, as a user agent must do (RFC 9112 §5.2), white space before a colon is removed
  ///   (§5.1), and a line whose name is not a token is dropped, because no known field can be meant. In a
  ///   request each of these lines is an error.
  init(maximumFields: Int, isOfResponse: Bool) {
    self.maximumFields = maximumFields
    self.isOfResponse = isOfResponse
  }

  /// Adds one non-empty line without its CR LF. The caller has excluded CR, LF and NUL.
  mutating func add(_ line: Range<Int>, of input: RawSpan) throws(HTTPParseError) {
    if ASCII.isBlank(input.byte(at: line.lowerBound)) {
      return try fold(line, of: input)
    }
    let name = line.lowerBound..<input.endOfToken(in: line)
    var colon = name.upperBound
    if name.isEmpty || colon == line.upperBound || input.byte(at: colon) != ASCII.colon {
      guard let place = try colonOfMalformedLine(line, name, of: input) else { return }
      colon = place
    }
    if count == 0 {
      fields.reserveCapacity(fields: Self.initialFieldCapacity, bytes: Self.initialByteCapacity)
    }
    try countLine()
    isLastDropped = false
    let value = input.trimmed((colon + 1)..<line.upperBound)
    fields.append(name: input.extracting(name), value: input.extracting(value))
  }

  /// Returns the offset of the colon of a line in which the name is not followed by a colon; nil if the line is
  /// dropped.
  private mutating func colonOfMalformedLine(
    _ line: Range<Int>, _ name: Range<Int>, of input: RawSpan
  ) throws(HTTPParseError) -> Int? {
    guard isOfResponse, let colon = input.firstOffset(of: ASCII.colon, in: line) else {
      throw Self.nameError(line, of: input)
    }
    hasMalformedLine = true
    if !name.isEmpty, input.trimmed(name.upperBound..<colon).isEmpty { return colon }
    try countLine()
    isLastDropped = true
    return nil
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
    guard isOfResponse, count > 0 else {
      throw HTTPParseError(
        .fold, "header line begins with white space: \"\(input.escaped(line))\"")
    }
    try countLine()
    let more = input.trimmed(line)
    if !more.isEmpty, !isLastDropped { fields.fold(input.extracting(more)) }
  }

  private mutating func countLine() throws(HTTPParseError) {
    guard count < maximumFields else {
      throw HTTPParseError(.tooManyFields, "more than \(maximumFields) header lines")
    }
    count += 1
  }
}
