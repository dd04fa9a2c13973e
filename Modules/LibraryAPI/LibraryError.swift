/// Why a whole operation of the engine failed. Failures of single resources are not errors: they
/// are states with a reason.
public struct LibraryError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The source could not be read or understood, or holds nothing usable.
    case source
    /// DNS or connection, on the way to the source.
    case network
    case tls
    /// A limit or policy refused it.
    case policy
    case diskFull
    case io
    /// Another engine holds the library.
    case locked
    /// The store refused.
    case store
    /// No record of that name or number.
    case noSuchRecord
    case interrupted
    /// The process whose engine was asked went away; whether it did what it was asked is not known.
    case disconnected
  }

  public let code: Code
  /// One sentence that names the file or URL and the cause.
  public let detail: String

  public init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  public var description: String { detail }
}
