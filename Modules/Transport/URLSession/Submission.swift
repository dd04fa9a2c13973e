import Transport

/// One call of `perform`, as the loop gets it.
struct Submission: Sendable {
  let id: UInt64
  let request: TransportRequest
  let sink: any BodySink
  /// Nanoseconds of `CLOCK_MONOTONIC` at the call.
  let askedAt: UInt64
  let result: CheckedContinuation<Result<TransportResponse, TransportError>, Never>
}
