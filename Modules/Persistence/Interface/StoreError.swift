/// Why the store refused or failed.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The folder or file cannot be opened or written.
    case io
    case diskFull
    case readOnly
    /// Another process has the database locked.
    case busy
    /// Not a database, or damaged. Never rebuilt silently.
    case damaged
    /// Written by a newer program.
    case newerSchema
    /// Written by a version that was never released.
    case olderSchema
    case folderTaken
    case notFound
    case closed
    /// A statement failed that should not.
    case `internal`
  }

  public let code: Code
  /// One sentence that names the file and the cause.
  public let detail: String

  public init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  public var description: String { detail }
}
