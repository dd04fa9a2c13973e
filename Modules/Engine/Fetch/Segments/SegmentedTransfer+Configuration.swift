import Hashing
import Models
import ProgressTree
import Transport

extension SegmentedTransfer {
  enum End: Sendable {
    /// The file contains all bytes; the digest is that of the whole file.
    case complete(Digest)
    /// The file must be requested again from its beginning, on one connection: it has changed on the server,
    /// or the server does not serve ranges although it announced them.
    case mustRestart
    case failed(DownloadFailure)
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
    /// The origin of the URL. A redirect to another origin does not carry the range.
    let origin: HTTPURL.Origin
    /// Creates the request for a range of the version.
    let makeRequest: @Sendable (Range<Int64>, EntityTag) -> TransportRequest
    /// Cancels the first request.
    let cancelStream: @Sendable () -> Void
  }
}
