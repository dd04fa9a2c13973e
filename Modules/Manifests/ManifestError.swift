/// The reason why the rest of a list cannot be read. Entries before the error stay valid.
///
/// A single invalid entry is not an error but a ``ManifestProblem``; reading continues.
public struct ManifestError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The bytes violate RFC 8259.
    case notJSON
    /// The JSON text ends before its last value is complete.
    case truncated
    /// The content is an HTML page, not a list.
    case webPage
    /// The content is an image, an archive or other bytes that are not a list.
    case notAList
    /// The text is UTF-16, UTF-32 or invalid UTF-8.
    case encoding
    /// The JSON is nested deeper than ``ManifestLimits/depth``.
    case tooDeep
    /// A text is longer than ``ManifestLimits/textLength``.
    case tooLong
    /// The list has more than ``ManifestLimits/entries`` entries.
    case tooMany
    /// The list has more than ``ManifestLimits/bytes`` bytes.
    case tooLarge
    /// The JSON is valid but not a list, such as a lone string or a series without an id.
    case shape
    /// The list is a series whose own URL is unknown, so its slices have no URLs.
    case noAddress
  }

  public let code: Code

  /// Whether a limit was exceeded that the user can raise; the reason names the setting.
  public var isLimit: Bool { [.tooDeep, .tooLong, .tooMany, .tooLarge].contains(code) }

  /// The list's name, as passed to the parser; empty if there is none.
  public let file: String
  /// The offset of the error in bytes, or nil if unknown.
  public let offset: Int64?
  /// The line number, from 1.
  public let line: Int?
  /// The column in bytes, from 1.
  public let column: Int?
  /// The reason as a sentence without the position, with control characters escaped.
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

  /// The position and the reason: `list.json, line 3, column 5: expected "," or "]"`.
  public var description: String {
    var place = file.isEmpty ? [] : [Excerpt.sentence(file)]
    if let line { place.append("line \(line)") }
    if let column { place.append("column \(column)") }
    return place.isEmpty ? reason : place.joined(separator: ", ") + ": " + reason
  }
}
