/// A refusal or failure of the store.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The folder or file cannot be opened or written.
    case io
    case diskFull
    case readOnly
    /// Another process has the database locked.
    case busy
    /// The file is damaged, or is no SQLite database. The store never recreates such a file silently.
    case damaged
    /// A newer version of this program wrote the database.
    case newerSchema
    /// A version of this program that was never released wrote the database.
    case olderSchema
    case folderTaken
    case notFound
    case closed
    /// A statement failed because of an error in this program.
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
