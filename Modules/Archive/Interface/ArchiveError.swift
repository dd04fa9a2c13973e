/// Why an archive, or an entry of it, cannot be read.
public struct ArchiveError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The file cannot be opened or read.
    case io
    /// Not an archive of a known format.
    case format
    /// Ends too early.
    case truncated
    /// Checksum wrong, or directory and data disagree.
    case damaged
    case encrypted
    /// A compression method or feature that the adapter does not have.
    case unsupported
    /// A limit was exceeded: the detail names the setting.
    case limit
    /// Entries overlap: a bomb.
    case overlap
    /// The visitor ended the walk with an error of its own.
    case visitor
  }

  public let code: Code
  /// One clause for people; control characters escaped.
  public let detail: String
  /// The entry at fault; control characters escaped, cut after 200 characters.
  public let entryName: String?

  public init(_ code: Code, _ detail: String, entryName: String? = nil) {
    self.code = code
    self.detail = Self.escaped(detail)
    self.entryName = entryName.map { Self.escaped($0.prefix(200)) }
  }

  public var description: String {
    entryName.map { "\($0): \(detail)" } ?? detail
  }

  /// Names come from strangers: nothing in them may steer a terminal or turn the text around.
  private static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        result += scalar.escaped(asASCII: true)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
