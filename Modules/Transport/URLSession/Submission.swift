import Transport

/// One call of `perform`, as submitted to the `HelperLoop`.
struct Submission: Sendable {
  let id: UInt64
  let request: TransportRequest
  let sink: any BodySink
  /// The time of the call in nanoseconds of `CLOCK_MONOTONIC`.
  let requestedAt: UInt64
  let result: CheckedContinuation<Result<TransportResponse, TransportError>, Never>
}
