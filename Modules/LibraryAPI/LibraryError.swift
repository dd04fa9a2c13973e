/// The failure of a whole operation of a library. The failure of a single resource is not an error but a
/// state of the resource, with a reason.
public struct LibraryError: Error, Sendable, CustomStringConvertible {
  /// A stable code for comparison, also by clients of the API.
  public enum Code: String, Sendable, CaseIterable {
    /// The source could not be read or parsed, or contains no usable entry.
    case source
    /// A DNS lookup, a connection or a transfer over the network failed.
    case network
    case tls
    /// A limit or policy refused the operation.
    case policy
    case diskFull
    case io
    /// Another engine holds the lock of the library.
    case locked
    /// The store refused the operation.
    case store
    /// No record has the given name or number.
    case noSuchRecord
    case interrupted
    /// A file is encrypted, and the password is missing or wrong.
    case encrypted
    /// The server does not send parts of files, so the file must be downloaded whole.
    case noRanges
    /// The process that runs the engine has ended; it is unknown whether it completed the operation.
    case disconnected
    /// An unexpected error, caused by a bug in this program.
    case internalError = "internal"

    /// Whether the same call may succeed later without any change by the user.
    public var isRetryable: Bool {
      switch self {
      case .network, .locked, .disconnected, .interrupted: true
      case .source, .tls, .policy, .diskFull, .io, .store, .noSuchRecord, .encrypted,
        .noRanges, .internalError:
        false
      }
    }
  }

  public let code: Code
  /// One sentence that names the file or URL and the cause; never empty.
  public let detail: String
  /// The error of the lower layer. It is not sent to other processes.
  public let underlying: (any Error)?
  /// The number of bytes that must be free on the disk before the work can go on, as far as it is known; nil if the
  /// disk is not full. It is not sent to other processes.
  public let neededBytes: Int64?

  public init(
    _ code: Code, _ detail: String, underlying: (any Error)? = nil, neededBytes: Int64? = nil
  ) {
    self.code = code
    self.detail = detail.isEmpty ? code.sentence : detail
    self.underlying = underlying
    self.neededBytes = neededBytes
  }

  /// Whether the same call may succeed later without any change by the user.
  public var isRetryable: Bool { code.isRetryable }

  public var description: String { detail }
}

extension LibraryError {
  /// The error of an operation during which the library was reset.
  package static let wasReset = LibraryError(.interrupted, "the library was reset")
}

/// Errors are equal if their codes and details are equal. Their underlying errors are not compared.
extension LibraryError: Equatable {
  public static func == (one: LibraryError, other: LibraryError) -> Bool {
    one.code == other.code && one.detail == other.detail
  }
}

extension LibraryError.Code {
  /// The default detail for an error with this code.
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
    case .noRanges: "the server does not send parts of files"
    case .disconnected: "the process that runs the library has exited"
    case .internalError: "the operation failed for an unexpected reason"
    }
  }
}
