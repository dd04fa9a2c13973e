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
    /// A file is encrypted, and no password was given or another one.
    case encrypted
    /// The process whose engine was asked went away; whether it did what it was asked is not known.
    case disconnected
    /// An error that no layer expects: a fault of this program.
    case internalError = "internal"

    /// Whether the same call may succeed later although nobody has changed anything.
    public var isRetryable: Bool {
      switch self {
      case .network, .locked, .disconnected, .interrupted: true
      case .source, .tls, .policy, .diskFull, .io, .store, .noSuchRecord, .encrypted,
        .internalError:
        false
      }
    }
  }

  public let code: Code
  /// Never empty. One sentence that names the file or URL and the cause.
  public let detail: String
  /// The error of the layer below. It does not cross to another process.
  public let underlying: (any Error)?

  public init(_ code: Code, _ detail: String, underlying: (any Error)? = nil) {
    self.code = code
    self.detail = detail.isEmpty ? code.sentence : detail
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

extension LibraryError.Code {
  /// The sentence for an error without a detail of its own.
  public var sentence: String {
    switch self {
    case .source: "the source cannot be read"
    case .network: "the server cannot be reached"
    case .tls: "the connection to the server is not secure"
    case .policy: "the request is refused by a limit or a rule of the settings"
    case .diskFull: "the disk of the library is full"
    case .io: "a file of the library cannot be read or written"
    case .locked: "the library is in use by another process"
    case .store: "the database of the library refused the change"
    case .noSuchRecord: "there is no record of that name or number"
    case .interrupted: "the operation was interrupted"
    case .encrypted: "the file is encrypted and needs a password"
    case .disconnected: "the process that runs the library went away"
    case .internalError: "the operation failed for a reason that nothing here expects"
    }
  }
}
