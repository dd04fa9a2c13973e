/// Why a whole operation of a library failed. Failures of single resources are not errors: they are
/// states with a reason.
public struct LibraryError: Error, Sendable, CustomStringConvertible {
  /// Stable: programs and the API's clients may compare it.
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
    /// An error that no layer expects: a fault of this program.
    case internalError = "internal"

    /// Whether the same call may succeed later although nobody has changed anything.
    public var isRetryable: Bool {
      switch self {
      case .network, .locked, .disconnected, .interrupted: true
      case .source, .tls, .policy, .diskFull, .io, .store, .noSuchRecord, .internalError: false
      }
    }
  }

  public let code: Code
  /// One sentence that names the file or URL and the cause.
  public let detail: String
  /// The error of the layer below. It does not cross to another process.
  public let underlying: (any Error)?

  public init(_ code: Code, _ detail: String, underlying: (any Error)? = nil) {
    self.code = code
    self.detail = detail
    self.underlying = underlying
  }

  /// Whether the same call may succeed later although nobody has changed anything.
  public var isRetryable: Bool { code.isRetryable }

  public var description: String { detail }
}

/// Equal errors have the same code and words, whatever caused them.
extension LibraryError: Equatable {
  public static func == (one: LibraryError, other: LibraryError) -> Bool {
    one.code == other.code && one.detail == other.detail
  }
}
