import Transport

/// The end of the time that `network.totalTimeout` grants to all requests of one attempt together. Pure: times
/// are nanoseconds of one monotonic clock, passed by the caller.
struct AttemptDeadline: Sendable, Equatable {
  /// The limit in seconds; 0 means no limit.
  private let total: Double
  private let start: UInt64

  /// - Parameter start: The time of the first request.
  init(_ limits: TransferLimits, from start: UInt64) {
    total = limits.totalTimeout
    self.start = start
  }

  /// Limits a request to the rest of the time, rounded up to whole milliseconds.
  /// - Returns: false if no time is left, so that the request must not be made.
  func limit(_ request: inout TransportRequest, at now: UInt64) -> Bool {
    guard total > 0 else { return true }
    let rest = total - Double(now - min(start, now)) / 1e9
    request.limits.totalTimeout = max(1, (rest * 1_000).rounded(.up)) / 1_000
    return rest > 0
  }

  /// The failure of an attempt that has no time left.
  var failure: DownloadFailure {
    .transport(
      code: .totalTimeout, detail: "not finished in \(total) s (network.totalTimeout)",
      isRetryable: true)
  }
}
