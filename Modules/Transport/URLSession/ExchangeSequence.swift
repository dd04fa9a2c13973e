import WorkerProcess

/// The order and the numbers of the events of one exchange: one head, growing reports of progress that are each
/// acknowledged, and one end.
///
/// A pure value. A helper that breaks the rules throws an error, and is removed. A body without a head is no such
/// case: it may be the server's fault, and concerns its transfer only.
struct ExchangeSequence {
  private let maxBodyBytes: Int64
  private var hasHead = false
  /// The number of body bytes that the helper has reported.
  private var bytes: Int64 = 0
  private var isReportOpen = false

  init(maxBodyBytes: Int64) { self.maxBodyBytes = maxBodyBytes }

  mutating func receiveHead() throws(WorkerError) {
    guard !hasHead, bytes == 0 else {
      throw WorkerError(.malformed, "a head after the head or the body of an exchange")
    }
    hasHead = true
  }

  mutating func receiveProgress(_ new: Int64) throws(WorkerError) {
    guard !isReportOpen else {
      throw WorkerError(.malformed, "progress before the last progress was acknowledged")
    }
    guard new > bytes else {
      throw WorkerError(.malformed, "progress to \(new) bytes after \(bytes)")
    }
    try receive(new)
    isReportOpen = true
  }

  /// The adapter has acknowledged the last progress.
  mutating func acknowledge() { isReportOpen = false }

  mutating func receiveEnd(_ total: Int64) throws(WorkerError) { try receive(total) }

  private mutating func receive(_ new: Int64) throws(WorkerError) {
    guard new >= bytes, new <= maxBodyBytes else {
      throw WorkerError(
        .malformed, "a body of \(new) bytes after \(bytes), of at most \(maxBodyBytes)")
    }
    bytes = new
  }
}
