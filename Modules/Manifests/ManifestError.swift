/// The reason why the rest of a list cannot be read. Entries before the error stay valid.
///
/// A single invalid entry is not an error but a ``ManifestProblem``; reading continues.
public struct ManifestError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The bytes violate RFC 8259.
    case notJSON
    /// The JSON text ends before its last value is complete.
    case truncated
    /// HTML where a list was expected.
    case webPage
    /// An image, an archive or other bytes that are not a list.
    case notAList
    /// UTF-16, UTF-32 or invalid UTF-8.
    case encoding
    /// Nested deeper than ``ManifestLimits/depth``.
    case tooDeep
    /// A text longer than ``ManifestLimits/textLength``.
    case tooLong
    /// The list has more than ``ManifestLimits/entries`` entries.
    case tooMany
    /// The list has more than ``ManifestLimits/bytes`` bytes.
    case tooLarge
    /// Valid JSON that is not a list, such as a lone string or a series without an id.
    case shape
    /// A series needs its own URL, which is unknown.
    case noAddress
  }

  public let code: Code

  /// Whether raising a setting, which the reason names, would allow more of the list.
  public var isLimit: Bool { [.tooDeep, .tooLong, .tooMany, .tooLarge].contains(code) }

  /// The list's name, as passed to the parser; empty if there is none.
  public let file: String
  /// The offset of the error in bytes, or nil if unknown.
  public let offset: Int64?
  /// The line number, from 1.
  public let line: Int?
  /// The column in bytes, from 1.
  public let column: Int?
  /// A sentence without the position, with control characters escaped.
  public let reason: String

  init(
    _ code: Code, file: String, offset: Int64? = nil, line: Int? = nil, column: Int? = nil,
    _ reason: String
  ) {
    self.code = code
    self.file = file
    self.offset = offset
    self.line = line
    self.column = column
    self.reason = Excerpt.sentence(reason)
  }

  /// `list.json, line 3, column 5: expected "," or "]"`.
  public var description: String {
    var place = file.isEmpty ? [] : [Excerpt.sentence(file)]
    if let line { place.append("line \(line)") }
    if let column { place.append("column \(column)") }
    return place.isEmpty ? reason : place.joined(separator: ", ") + ": " + reason
  }
}
