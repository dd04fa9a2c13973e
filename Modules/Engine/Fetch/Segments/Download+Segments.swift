import Models
import Persistence
import Synchronization
import SystemCalls
import Transport

/// Large files over several connections.
extension Download {
  /// Grants a further connection, which the download has requested from its owner.
  func addConnection() {
    guard let segments = progress.withLock({ $0.segments }) else {
      // The transfer no longer uses segments; the grant was on its way.
      return owner.segmentRefused(of: run)
    }
    segments.addConnection()
  }

  /// Takes a further connection back, which ends soon.
  func withdrawConnection() { progress.withLock { $0.segments }?.withdrawConnection() }

  /// Begins no request for a further segment for some seconds, because the host is backing off.
  func holdSegments(for seconds: Double) {
    progress.withLock { $0.segments }?.hold(for: seconds)
  }

  /// Whether the file on the server changed, or its ranges were refused, while it was received in segments.
  var hasGivenUpSegments: Bool { progress.withLock { $0.hasGivenUpSegments } }

  /// The largest number of connections of one file, as that of `network.segments`.
  private static let maximumConnections = 64

  /// Creates the receiver of segments; nil if the attempt uses one connection.
  /// - Parameter request: The request for the whole file.
  func makeSegments(
    _ request: TransportRequest, _ options: FileSink.Options, _ deadline: AttemptDeadline
  ) -> SegmentedTransfer? {
    let network = downloadContext.settings.network
    // A rate limit holds for the whole transfer, and segments would not make it faster.
    guard source == nil, bytesPerSecond == 0, network.segments > 1, !hasGivenUpSegments else {
      return nil
    }
    let count = min(connections ?? network.segments, Self.maximumConnections)
    guard count > 1 else { return nil }
    var request = request
    // The limit is that of the transfer, of which each connection receives a part.
    if request.limits.lowSpeed > 0 {
      request.limits.lowSpeed = max(1, request.limits.lowSpeed / count)
    }
    let segments = SegmentedTransfer(
      SegmentedTransfer.Configuration(
        limits: SegmentPlan.Limits(
          minimumBytes: max(64 << 10, Int64(network.segmentBytes)), maximumCount: count),
        syncInterval: options.syncInterval, bootID: options.bootID,
        transport: downloadContext.transport, run: run, owner: owner, counter: counter,
        request: request, recordAnswer: { [weak self] in self?.recordRedirect(to: $0) },
        deadline: deadline))
    let isCancelled = progress.withLock { progress in
      progress.segments = segments
      return progress.isCancelled
    }
    if isCancelled { segments.cancel() }
    return segments
  }

  /// Forgets the receiver of segments of an attempt that has ended without any, so that connections granted
  /// from now on are refused.
  func endWithoutSegments() { progress.withLock { $0.segments = nil } }

  /// Decides after the end of all segments.
  /// - Parameter seconds: The duration of the attempt.
  func judge(
    _ end: SegmentedTransfer.End, _ sink: FileSink, _ began: Int64, _ seconds: Double,
    _ whenEnded: (Step) -> Void
  ) {
    progress.withLock { progress in
      progress.segments = nil
      progress.wasAnswered = true
    }
    let partial = partialDownload(of: sink)
    switch end {
    case .complete(let digest):
      guard let head = sink.head, let version = sink.segmentVersion else {
        let failure = DownloadFailure.protocolViolation("there was no response")
        return whenEnded(.done(.failed(failure, partial: partial)))
      }
      progress.withLock { $0.head = head }
      var timings = TransferTimings()
      timings.lastByte = seconds
      let file = sink.describe(
        version.total, digest, head, timings, makeAnswer(head, began))
      let step = complete(file, wasResumed: true)
      if case .startOver = step { giveUpSegments() }
      whenEnded(step)
    case .incomplete(.mustRestart):
      giveUpSegments()
      whenEnded(.startOver)
    case .incomplete(.mustContinueAlone):
      giveUpSegments()
      whenEnded(partial.map { Step.continueFrom($0) } ?? .startOver)
    case .incomplete(.failed(let failure)):
      whenEnded(.done(.failed(failure, partial: partial)))
    case .incomplete(.complete):
      whenEnded(.done(.failed(.protocolViolation("the file is incomplete"), partial: partial)))
    }
  }

  private func giveUpSegments() { progress.withLock { $0.hasGivenUpSegments = true } }

  /// Returns the number of bytes at the beginning of a partial file that can be trusted, nil for all, and the
  /// ranges beyond them. Blocks.
  ///
  /// A file that is longer than its content was received in segments and has gaps. Without a valid list of
  /// ranges, only the synced prefix is known to have none.
  static func usableContent(
    of file: OwnedDescriptor, _ partial: PartialDownload, isSameBoot: Bool
  ) throws(SystemError) -> (limit: Int64?, segments: ResumeDecision.PriorBytes.Segments?) {
    guard let total = partial.totalBytes, try file.status().size > total else {
      return (isSameBoot ? nil : partial.syncedBytes, nil)
    }
    guard let (sequence, found) = try SegmentJournal.read(from: file, total: total) else {
      return (partial.syncedBytes, nil)
    }
    var journal = found
    // A power cut may have kept an older list, and the store a newer state of the prefix.
    journal.durable.insert(0..<min(partial.syncedBytes, total))
    journal.received = isSameBoot ? journal.received.union(journal.durable) : journal.durable
    return (
      journal.received.prefixEnd,
      ResumeDecision.PriorBytes.Segments(journal: journal, sequence: sequence)
    )
  }
}
