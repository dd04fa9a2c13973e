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
  /// The entry at fault.
  public let entryName: String?

  public init(_ code: Code, _ detail: String, entryName: String? = nil) {
    self.code = code
    self.detail = detail
    self.entryName = entryName
  }

  public var description: String {
    entryName.map { "\($0): \(detail)" } ?? detail
  }
}
