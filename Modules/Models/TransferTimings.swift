/// The phases of one transfer in milliseconds since it was requested; nil where a phase did not
/// happen (a reused connection has no `connect`) or the transport cannot tell.
public struct TransferTimings: Sendable, Equatable {
  /// Left the queue of the transport: a connection slot was free.
  public var queue: Double?
  /// Name resolved.
  public var dns: Double?
  /// TCP connected.
  public var connect: Double?
  /// TLS established.
  public var tls: Double?
  /// Request written.
  public var request: Double?
  /// First byte of the final response.
  public var firstByte: Double?
  /// Last byte of the body.
  public var lastByte: Double?

  public init() {}

  /// From leaving the queue to the last byte: what the user calls the time of the download.
  public var duration: Double? {
    guard let lastByte else { return nil }
    return lastByte - (queue ?? 0)
  }
}
