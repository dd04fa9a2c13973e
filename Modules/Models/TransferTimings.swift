/// The end of each phase of one transfer, in milliseconds since the transfer was requested. A phase is nil if
/// it did not happen (a reused connection has no `connect`) or the transport cannot measure it.
public struct TransferTimings: Sendable, Equatable {
  /// The transfer left the queue of the transport because a connection slot was free.
  public var queue: Double?
  /// The name was resolved.
  public var dns: Double?
  /// The TCP connection was established.
  public var connect: Double?
  /// The TLS handshake was completed.
  public var tls: Double?
  /// The request was written.
  public var request: Double?
  /// The first byte of the final response arrived.
  public var firstByte: Double?
  /// The last byte of the body arrived.
  public var lastByte: Double?
  /// The number of bytes that the transfer has received, if earlier ones had received a part of the file; nil for all
  /// bytes of the file.
  public var receivedBytes: Int64?

  public init() {}

  /// The timings of work of which only the begin and the end are known, as moments of the monotonic clock in
  /// nanoseconds.
  public init(from start: UInt64, to end: UInt64) {
    lastByte = end > start ? Double(end - start) / 1e6 : 0
  }

  /// The time from leaving the queue to the last byte, which users see as the duration of the download.
  public var duration: Double? {
    guard let lastByte else { return nil }
    return lastByte - (queue ?? 0)
  }

  /// Returns the mean rate of the transfer in bytes per second, or nil if its duration is unknown.
  /// - Parameter byteCount: The size of the file, of which earlier transfers may have received a part.
  public func rate(ofFile byteCount: Int64) -> Double? {
    guard let duration, duration > 0 else { return nil }
    return Double(receivedBytes ?? byteCount) / duration * 1_000
  }

  /// The time from the request to the first byte of the response, or nil if it is unknown.
  public var wait: Double? {
    firstByte.map { max(0, $0 - (request ?? tls ?? connect ?? queue ?? 0)) }
  }

  /// The time from the first byte of the response to the last one, or nil if it is unknown.
  public var transfer: Double? {
    guard let firstByte, let lastByte else { return nil }
    return max(0, lastByte - firstByte)
  }
}
