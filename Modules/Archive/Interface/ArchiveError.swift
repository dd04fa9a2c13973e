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
    /// The worker process that read the archive died, hung or sent nonsense.
    case worker
  }

  public let code: Code
  /// The cause as a clause for people; control characters escaped, cut after 500 bytes.
  public let detail: String
  /// The entry at fault; control characters escaped, cut after 200 characters.
  public let entryName: String?

  public init(_ code: Code, _ detail: String, entryName: String? = nil) {
    self.code = code
    self.detail = Self.escaped(detail.unicodeScalars)
    self.entryName = entryName.map { Self.escaped($0.unicodeScalars.prefix(200)) }
  }

  public var description: String {
    entryName.map { "\($0): \(detail)" } ?? detail
  }

  /// Bytes of a detail, and of a name.
  private static let longest = 500

  /// Names and details come from strangers: nothing in them may steer a terminal, turn the text
  /// around, or fill the screen. One character may be of any number of scalars, so that these count.
  private static func escaped(_ text: some Sequence<Unicode.Scalar>) -> String {
    var result = ""
    for scalar in text {
      let next =
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
        default: String(scalar)
        }
      guard result.utf8.count + next.utf8.count <= longest - 3 else { return result + "…" }
      result += next
    }
    return result
  }
}
