/// The reason why a text is not JSON or exceeds a limit, with its place.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Cause: Equatable, Sendable {
    case valueMissing, nameMissing, colonMissing, separatorMissing, digitMissing
    case badEscape, hexadecimalDigitMissing, controlCharacter, loneSurrogate
    case repeatedName
    /// The text continues after the value.
    case bytesAfterValue
    case notUTF8
    /// The limits are those of the ``JSONPolicy``.
    case tooDeep, tooLong, tooLarge
  }

  public struct Position: Equatable, Sendable {
    /// The number of bytes before the place.
    public let offset: Int64
    /// The number of the line, from 1.
    public let line: Int
    /// The column in bytes, from 1.
    public let column: Int
  }

  public let cause: Cause
  public let position: Position
  /// Whether the text ends before its value is complete.
  public let isTruncated: Bool
  /// A clause that names the expected and the found text, without the place.
  public let reason: String

  init(
    _ cause: Cause, at position: Position, isTruncated: Bool = false, _ reason: String
  ) {
    self.cause = cause
    self.position = position
    self.isTruncated = isTruncated
    self.reason = reason
  }

  /// The place and the reason: `line 3, column 5: expected "," or "]", found "x"`.
  public var description: String {
    "line \(position.line), column \(position.column): \(reason)"
  }

  /// The cause as a clause, for messages to programs.
  public var summary: String {
    switch cause {
    case .valueMissing: isTruncated ? "it ends too early" : "a value is missing"
    case .nameMissing: "a key is not a string"
    case .colonMissing: "a colon is missing"
    case .separatorMissing: "a comma or a closing bracket is missing"
    case .digitMissing: "a number lacks a digit"
    case .badEscape: "a string contains an invalid escape"
    case .hexadecimalDigitMissing: "an escape lacks a hexadecimal digit"
    case .controlCharacter where isTruncated: "a string is not terminated"
    case .controlCharacter: "a string contains a raw control character"
    case .bytesAfterValue: "text follows the value"
    case .loneSurrogate, .repeatedName, .notUTF8, .tooDeep, .tooLong, .tooLarge: reason
    }
  }
}
