/// The reason why a file or page could not be rendered.
public struct RenderError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The file cannot be read, or memory could not be allocated.
    case io
    /// No decoder supports the format.
    case unsupported
    /// The data is invalid; the detail contains the decoder's message.
    case damaged
    case truncated
    /// A password is needed.
    case encrypted
    /// A limit was exceeded; the detail names the setting.
    case limit
    /// The worker process crashed, timed out or sent an invalid reply.
    case worker
    case cancelled
  }

  /// The cause of a failure with the code `.worker`.
  public enum WorkerCause: Sendable {
    /// The helper program is missing or cannot be started, so that every other file would fail as well.
    case unavailable
    /// The time for the file is over.
    case timedOut
    /// The worker ended or sent an invalid reply.
    case died
  }

  public let code: Code
  /// The reason as a clause for users; never empty. Control characters are escaped.
  public let detail: String
  /// The cause if the worker is at fault and the cause is known.
  public let workerCause: WorkerCause?

  public init(_ code: Code, _ detail: String, workerCause: WorkerCause? = nil) {
    self.code = code
    self.detail = detail.isEmpty ? code.sentence : detail
    self.workerCause = workerCause
  }

  /// The maximum length in bytes of a detail from a library or a worker.
  public static let maximumDetailLength = 500

  /// - Parameter detail: The message of a library or a worker. Control characters are escaped, and the result
  ///   is truncated to 500 bytes.
  public init(_ code: Code, escaping detail: String, workerCause: WorkerCause? = nil) {
    let trimmed = detail.unicodeScalars.drop { $0.properties.isWhitespace }
    var text = ""
    for scalar in trimmed {
      let next = Self.escaped(scalar)
      guard text.utf8.count + next.utf8.count <= Self.maximumDetailLength - 3 else {
        text += "…"
        break
      }
      text += next
    }
    while text.last?.isWhitespace == true { text.removeLast() }
    self.init(code, text, workerCause: workerCause)
  }

  /// Whether the data is at fault, in which case a part of the image may still be decodable.
  public var isDamage: Bool { code == .damaged || code == .truncated }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    guard scalar.properties.generalCategory == .control || scalar.properties.isBidiControl else {
      return String(scalar)
    }
    return scalar.properties.isWhitespace ? " " : "\\u{\(String(scalar.value, radix: 16))}"
  }

  /// Whether the same job may succeed later, because the file is not certainly at fault.
  public var isRetryable: Bool { code == .io || code == .worker }

  public var description: String { detail }
}

extension RenderError.Code {
  /// The sentence for an error without a detail of its own.
  public var sentence: String {
    switch self {
    case .io: "the file cannot be read"
    case .unsupported: "the file is of a kind that imgdl does not support"
    case .damaged: "the file is damaged"
    case .truncated: "the file ends too early, a part of it is missing"
    case .encrypted: "the file needs a password"
    case .limit: "the file exceeds a limit of the settings"
    case .worker: "the decoder of the file failed"
    case .cancelled: "the file was not decoded because its request was cancelled"
    }
  }
}
