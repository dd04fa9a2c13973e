import Models
import Transport

/// The use of several connections for a file, if it turns out to be large: the objects that this takes are made
/// only then.
struct SegmentOffer: Sendable {
  let download: Download
  let url: HTTPURL
  /// The maximum number of connections, at least 2.
  let maximumCount: Int

  /// The largest number of connections of one file, as that of `network.segments`.
  private static let maximumConnections = 64

  /// Returns nil if the exchange uses one connection.
  init?(_ download: Download, _ url: HTTPURL) {
    // A rate limit holds for the whole transfer, and segments would not make it faster.
    guard download.order.source == nil, download.order.bytesPerSecond == 0,
      !download.hasGivenUpSegments
    else { return nil }
    let setting = download.downloadContext.settings.network.segments
    maximumCount = min(download.order.connections ?? setting, Self.maximumConnections)
    guard setting > 1, maximumCount > 1 else { return nil }
    self.download = download
    self.url = url
  }

  /// The minimum size in bytes of the part of a file that a connection of its own requests.
  var minimumBytes: Int64 {
    max(64 << 10, Int64(download.downloadContext.settings.network.segmentBytes))
  }

  /// The time in seconds for the rest of a file, from which on further connections are requested.
  var minimumSeconds: Double { download.downloadContext.settings.network.segmentSeconds }

  /// Creates the receiver of the segments, and adds it to the work of the download.
  func accept(_ options: FileSink.Options) -> SegmentedTransfer {
    var request = download.order.request(url)
    // The limit is that of the transfer, of which each connection receives a part.
    if request.limits.lowSpeed > 0 {
      request.limits.lowSpeed = max(1, request.limits.lowSpeed / maximumCount)
    }
    let segments = SegmentedTransfer(
      SegmentedTransfer.Configuration(
        limits: SegmentPlan.Limits(minimumBytes: minimumBytes, maximumCount: maximumCount),
        syncInterval: options.syncInterval, bootID: options.bootID,
        transport: download.downloadContext.transport, run: download.run, owner: download.owner,
        counter: download.counter, request: request,
        recordAnswer: { [weak download] in download?.recordURL($0) },
        deadline: download.deadline))
    download.work.attach(segments)
    return segments
  }
}
