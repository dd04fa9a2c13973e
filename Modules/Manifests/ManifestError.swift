/// Why a list cannot be read any further. Entries that came before it stay good.
///
/// A single bad entry is no error: it is a ``ManifestProblem``, and the others continue.
public struct ManifestError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The bytes break RFC 8259.
    case notJSON
    /// JSON that ends before its last value does.
    case truncated
    /// HTML where a list was expected.
    case webPage
    /// An image, an archive or other bytes that hold no list.
    case notAList
    /// UTF-16, UTF-32 or broken UTF-8.
    case encoding
    /// Nested deeper than ``ManifestLimits/depth``.
    case tooDeep
    /// A text longer than ``ManifestLimits/textLength``.
    case tooLong
    /// More entries than ``ManifestLimits/entries``.
    case tooMany
    /// More bytes than ``ManifestLimits/bytes``.
    case tooLarge
    /// Good JSON that is no list: a lone string, a series without an id.
    case shape
    /// A series needs the address it came from, and there is none.
    case noAddress
  }

  public let code: Code

  /// Whether a setting, which the reason names, would let more of the list pass.
  public var isLimit: Bool { [.tooDeep, .tooLong, .tooMany, .tooLarge].contains(code) }

  /// The list's name, as given to the parser; empty where there is none.
  public let file: String
  /// Bytes before the place of the error.
  public let offset: Int64?
  /// Counted from 1.
  public let line: Int?
  /// In bytes, counted from 1.
  public let column: Int?
  /// One sentence without the place, with control characters escaped.
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
