public import Models
public import SystemCalls
public import WorkerProcess

/// A command of the adapter to `imgdl-urlsession`. One exchange is one request and its response: a
/// redirect ends one exchange, and the adapter begins the next.
public enum HelperCommand: Sendable {
  case start(ExchangeOrder, spool: OwnedDescriptor)
  /// Cancels an exchange. The helper always replies with `HelperEvent.done` or `.failed` for that
  /// exchange.
  case cancel(exchange: UInt64)
  /// Acknowledges the last `HelperEvent.progress`: its bytes were read, and the helper may send the
  /// next one.
  case progressSeen(exchange: UInt64)
}

/// One request for the helper.
public struct ExchangeOrder: Sendable, Equatable {
  public let exchange: UInt64
  public let url: String
  public let fields: HTTPFields
  /// The maximum number of decoded body bytes, after which the helper stops.
  public let maxBodyBytes: Int64
  /// Whether the host name of `url` may resolve to public addresses only.
  public let isPublicOnly: Bool

  public init(
    exchange: UInt64, url: String, fields: HTTPFields, maxBodyBytes: Int64, isPublicOnly: Bool
  ) {
    self.exchange = exchange
    self.url = url
    self.fields = fields
    self.maxBodyBytes = maxBodyBytes
    self.isPublicOnly = isPublicOnly
  }
}

extension HelperCommand {
  private enum Kind: UInt8 { case start = 1, cancel, progressSeen }

  public var frame: Frame {
    switch self {
    case .start(let order, let spool):
      Frame(kind: Kind.start.rawValue, descriptors: [spool]) { writer in
        writer.append(order.exchange)
        writer.append(order.url)
        writer.append(fields: order.fields)
        writer.append(order.maxBodyBytes)
        writer.append(order.isPublicOnly)
      }
    case .cancel(let exchange):
      Frame(kind: Kind.cancel.rawValue) { $0.append(exchange) }
    case .progressSeen(let exchange):
      Frame(kind: Kind.progressSeen.rawValue) { $0.append(exchange) }
    }
  }

  public init(_ frame: Frame) throws(WorkerError) {
    var reader = FrameReader(frame)
    switch Kind(rawValue: frame.kind) {
    case .start:
      let order = ExchangeOrder(
        exchange: try reader.integer(), url: try reader.string(), fields: try reader.fields(),
        maxBodyBytes: try reader.integer(), isPublicOnly: try reader.bool())
      guard let spool = frame.descriptors.first, frame.descriptors.count == 1 else {
        throw WorkerError(.malformed, "an order without its spool file")
      }
      self = .start(order, spool: spool)
    case .cancel: self = .cancel(exchange: try reader.integer())
    case .progressSeen: self = .progressSeen(exchange: try reader.integer())
    case nil: throw WorkerError(.malformed, "a command of the unknown kind \(frame.kind)")
    }
    try reader.checkComplete()
  }
}

extension FrameWriter {
  mutating func append(fields: HTTPFields) {
    append(list: fields.fields) { writer, field in
      writer.append(field.name)
      writer.append(field.value)
    }
  }
}

extension FrameReader {
  mutating func fields() throws(WorkerError) -> HTTPFields {
    HTTPFields(
      try list { (reader) throws(WorkerError) in
        HTTPFields.Field(name: try reader.string(), value: try reader.string())
      })
  }
}
