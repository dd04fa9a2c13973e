import Models

/// Collects the field lines of a head or a trailer section (RFC 9112 §5).
struct FieldSection {
  private static let usualFields = 12

  private let maximumFields: Int
  private let joinsFoldedLines: Bool
  private var fields: [HTTPFields.Field] = []
  private var count = 0
  /// The last line, which a folded one may still continue.
  private var pending: HTTPFields.Field?

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
    guard let colon = input.firstOffset(of: Octet.colon, in: line) else {
      throw HTTPParseError(.fieldName, "header line without a colon: \"\(input.escaped(line))\"")
    }
    let name = line.lowerBound..<colon
    guard !name.isEmpty, input.allSatisfy(in: name, Octet.isToken) else {
      throw HTTPParseError(.fieldName, "\"\(input.escaped(name))\" is not a header name")
    }
    guard count < maximumFields else {
      throw HTTPParseError(.tooManyFields, "more than \(maximumFields) header lines")
    }
    count += 1
    commit()
    let value = input.trimmed((colon + 1)..<line.upperBound)
    pending = HTTPFields.Field(name: input.text(name), value: input.text(value))
  }

  /// The fields, when the empty line has come.
  mutating func finish() -> HTTPFields {
    commit()
    return HTTPFields(fields)
  }

  private mutating func fold(_ line: Range<Int>, of input: RawSpan) throws(HTTPParseError) {
    guard joinsFoldedLines, let field = pending else {
      throw HTTPParseError(
        .fold, "header line begins with white space: \"\(input.escaped(line))\"")
    }
    let more = input.trimmed(line)
    guard !more.isEmpty else { return }
    let text = input.text(more)
    pending = HTTPFields.Field(
      name: field.name, value: field.value.isEmpty ? text : field.value + " " + text)
  }

  private mutating func commit() {
    if fields.isEmpty { fields.reserveCapacity(Self.usualFields) }
    if let field = pending { fields.append(field) }
    pending = nil
  }
}
