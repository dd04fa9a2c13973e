public import Models
public import WorkerProcess

/// A message from `imgdl-urlsession` to the adapter. Times are nanoseconds of `CLOCK_MONOTONIC`,
/// which all processes of a machine share.
public enum HelperEvent: Sendable, Equatable {
  /// The helper is ready for commands; always its first message.
  case ready
  /// The head of a response. The heads of redirects are reported, too, because the helper follows
  /// no redirect.
  case head(exchange: UInt64, status: UInt16, fields: HTTPFields, time: UInt64)
  /// The number of body bytes in the spool file so far. The helper sends the next progress event of
  /// an exchange only after `HelperCommand.progressSeen`.
  case progress(exchange: UInt64, bytes: Int64, time: UInt64)
  /// The exchange has ended, and its spool file contains the whole body.
  case done(exchange: UInt64, bytes: Int64, time: UInt64)
  case failed(exchange: UInt64, bytes: Int64, ExchangeFailure)
}

/// The reason why an exchange failed in the helper.
public struct ExchangeFailure: Sendable, Equatable {
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// URLSession reported an error; `code` is its `NSURLError` code.
    case urlSession = 1
    /// The spool file cannot be written; `code` is an `errno`.
    case spool
    /// The body exceeds `ExchangeOrder.maxBodyBytes`.
    case bodyLimit
    /// The host name resolves to an address that is not public.
    case address
    /// The host name cannot be resolved.
    case name
    /// Foundation does not accept the URL.
    case url
    case cancelled
  }

  public let kind: Kind
  public let code: Int32
  /// The message of the library, not escaped.
  public let text: String

  public init(_ kind: Kind, code: Int32 = 0, text: String = "") {
    self.kind = kind
    self.code = code
    self.text = text
  }
}

extension HelperEvent {
  private enum Kind: UInt8 { case ready = 101, head, progress, done, failed }

  public var frame: Frame {
    switch self {
    case .ready: Frame(kind: Kind.ready.rawValue)
    case .head(let exchange, let status, let fields, let time):
      Frame(kind: Kind.head.rawValue) { writer in
        writer.append(exchange)
        writer.append(status)
        writer.append(fields: fields)
        writer.append(time)
      }
    case .progress(let exchange, let bytes, let time):
      Self.frame(.progress, exchange, bytes, time)
    case .done(let exchange, let bytes, let time):
      Self.frame(.done, exchange, bytes, time)
    case .failed(let exchange, let bytes, let failure):
      Frame(kind: Kind.failed.rawValue) { writer in
        writer.append(exchange)
        writer.append(bytes)
        writer.append(failure.kind.rawValue)
        writer.append(failure.code)
        writer.append(failure.text)
      }
    }
  }

  private static func frame(
    _ kind: Kind, _ exchange: UInt64, _ bytes: Int64, _ time: UInt64
  ) -> Frame {
    Frame(kind: kind.rawValue) { writer in
      writer.append(exchange)
      writer.append(bytes)
      writer.append(time)
    }
  }

  public init(_ frame: Frame) throws(WorkerError) {
    var reader = FrameReader(frame)
    switch Kind(rawValue: frame.kind) {
    case .ready: self = .ready
    case .head:
      self = .head(
        exchange: try reader.integer(), status: try reader.integer(), fields: try reader.fields(),
        time: try reader.integer())
    case .progress:
      self = .progress(
        exchange: try reader.integer(), bytes: try reader.byteCount(), time: try reader.integer())
    case .done:
      self = .done(
        exchange: try reader.integer(), bytes: try reader.byteCount(), time: try reader.integer())
    case .failed:
      self = .failed(
        exchange: try reader.integer(), bytes: try reader.byteCount(), try reader.failure())
    case nil: throw WorkerError(.malformed, "an event of the unknown kind \(frame.kind)")
    }
    try reader.checkComplete()
  }
}

extension FrameReader {
  fileprivate mutating func byteCount() throws(WorkerError) -> Int64 {
    let count: Int64 = try integer()
    guard count >= 0 else { throw WorkerError(.malformed, "a negative number of bytes") }
    return count
  }

  fileprivate mutating func failure() throws(WorkerError) -> ExchangeFailure {
    guard let kind = ExchangeFailure.Kind(rawValue: try integer()) else {
      throw WorkerError(.malformed, "a failure of an unknown kind")
    }
    return ExchangeFailure(kind, code: try integer(), text: try string())
  }
}
