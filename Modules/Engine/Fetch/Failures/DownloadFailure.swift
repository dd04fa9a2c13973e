import Glibc
import HTTP1
import Models
import SystemCalls
import Transport

/// The reason why one download failed.
enum DownloadFailure: Error, Equatable {
  /// The server answered with this status.
  case status(Int, retryAfter: String?, hint: RefusalHint? = nil)
  case protocolViolation(String)
  case transport(code: TransportError.Code, detail: String, isRetryable: Bool)
  /// The content is invalid, or differs from the content that the manifest or the URL promised.
  case content(String)
  /// The content is larger than this number of bytes. The reason names the limit as a clause for users; nil stands for
  /// `limits.resourceBytes`.
  case tooLarge(limit: Int64, reason: String? = nil)
  /// The library's disk failed, which ends the whole run and not only this resource.
  case disk(String, isFull: Bool)
  /// No URL of the content could be downloaded; the text names each URL and its cause.
  case everyMirror(String)
  /// The download was cancelled, because the engine stops or the transport ended it.
  case cancelled

  init(_ error: TransportError) {
    if let sink = error.sinkError, sink.isTooLarge {
      self = .tooLarge(limit: 0, reason: Self.fileSizeReason)
    } else if let sink = error.sinkError, sink.isOfDisk {
      self = .disk(sink.description, isFull: sink.isDiskFull)
    } else if let sink = error.sinkError {
      // A sink that was called out of order, or whose own reason was not recorded: the disk is sound.
      self = .protocolViolation(sink.description)
    } else if error.code == .cancelled {
      self = .cancelled
    } else {
      self = .transport(code: error.code, detail: error.detail, isRetryable: error.isRetryable)
    }
  }

  /// The failure to store bytes: that of the library's disk, unless no file may have so many bytes.
  init(_ error: SystemError) {
    self =
      error.isTooLarge
      ? .tooLarge(limit: 0, reason: Self.fileSizeReason)
      : .disk(error.description, isFull: error.isDiskFull)
  }

  private static let fileSizeReason =
    "larger than the file system or a limit of the process (ulimit -f) permits a file to be"

  var isRetryable: Bool {
    switch self {
    case .status(let status, _, _):
      status == 202 || status == 408 || status == 425 || status == 429 || status >= 500
    case .transport(_, _, let isRetryable): isRetryable
    case .protocolViolation, .cancelled: true
    case .content, .tooLarge, .disk, .everyMirror: false
    }
  }

  /// Whether the server refuses the URL itself, so that later requests will fail as well. Credentials may yet be
  /// accepted.
  var isLasting: Bool {
    guard case .status(let status, _, _) = self, !isRetryable else { return false }
    return (400..<500).contains(status) && status != 401 && status != 407
  }

  /// Whether another server may deliver the content nevertheless.
  var concernsServer: Bool {
    switch self {
    case .status, .protocolViolation, .transport, .content: true
    case .tooLarge, .disk, .everyMirror, .cancelled: false
    }
  }

  /// Whether the server does not exist or does not listen on the port.
  var isUnreachable: Bool {
    switch self {
    case .transport(.connectionRefused, _, _), .transport(.dns, _, _): true
    default: false
    }
  }

  /// Whether the server sent nothing for `network.idleTimeout`.
  var isIdleTimeout: Bool {
    if case .transport(.idleTimeout, _, _) = self { true } else { false }
  }

  /// Whether the server did not accept the connection or answer in time.
  var isTimeout: Bool {
    switch self {
    case .transport(.connectTimeout, _, _), .transport(.idleTimeout, _, _),
      .transport(.totalTimeout, _, _):
      true
    default: false
    }
  }

  /// The wait in seconds that the server requested with a 202, 429 or 503; nil if it requested none.
  var retryAfter: Double? {
    guard case .status(let status, let value?, _) = self, [202, 429, 503].contains(status) else {
      return nil
    }
    let now = Int64(time(nil))
    return RetryAfter.parse(value, now: now).map { Double($0.delay(now: now)) }
  }

  /// The reason as a clause for users.
  var reason: String {
    switch self {
    case .status(let status, _, let hint):
      ReasonPhrase.describe(status)
        + (hint?.text(now: Int64(time(nil))).map { ": \($0)" } ?? "")
    case .protocolViolation(let detail), .content(let detail), .everyMirror(let detail): detail
    case .transport(_, let detail, _): detail
    case .tooLarge(_, let reason?): reason
    case .tooLarge(let limit, nil):
      "larger than limits.resourceBytes (\(ByteText.short(limit)))"
    case .disk(let detail, _): detail
    case .cancelled: "cancelled"
    }
  }
}
