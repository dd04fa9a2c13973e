import Hashing
import Models
import ProgressTree
import Transport

extension SegmentedTransfer {
  enum End: Sendable {
    /// The file contains all bytes; the digest is that of the whole file.
    case complete(Digest)
    /// The file is not complete; never `.complete`.
    case incomplete(SegmentSession.Ending)
  }

  /// The properties that do not change.
  struct Configuration: Sendable {
    var limits: SegmentPlan.Limits
    /// The number of bytes between two syncs; nil for none.
    var syncInterval: Int64?
    var bootID: String
    let transport: any Transport
    let run: DownloadRun
    let owner: any DownloadOwner
    let counter: TransferCounter
    /// The request for the whole file, without a range.
    let request: TransportRequest
    /// Receives the URL that has answered the first request, before connections are requested.
    let recordAnswer: @Sendable (HTTPURL) -> Void
    /// The end of the time for all requests together.
    let deadline: AttemptDeadline
  }
}
