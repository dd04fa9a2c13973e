import Models
import ProgressTree
import SystemCalls
import Transport

/// The transition of a large body from one connection to several.
extension FileSink {
  /// Whether the ranges beyond the prefix of the partial file are kept.
  var keepsSegments: Bool {
    guard offer != nil || segments != nil, case .append? = decision else { return false }
    return priorBytes.segments != nil
  }

  /// Requests further connections from the engine, if the response allows segments and enough bytes are
  /// missing. A file that already has gaps is received in segments even if no connection is granted.
  func offerSegments(_ head: ResponseHead) throws(SinkError) {
    guard let offer, let total else { return }
    // Most files are too small, which their length shows before anything else is examined.
    guard keepsSegments || total &- count >= 2 * offer.minimumBytes else { return }
    segmentVersion = SegmentVersion(head, total: total)
    guard segmentVersion != nil else { return try dropSegments() }
    let segments = offer.accept(options)
    self.segments = segments
    if keepsSegments { try beginSegments() }
    segments.requestConnections(to: head.url)
  }

  /// Cuts off the ranges beyond the prefix, if there are any, because they cannot be continued.
  private func dropSegments() throws(SinkError) {
    guard keepsSegments else { return }
    do throws(SystemError) {
      try file?.truncate(to: count)
    } catch {
      throw SinkError(error)
    }
  }

  /// Passes the file and the digest state to the segments.
  func beginSegments() throws(SinkError) {
    guard let segments, let segmentVersion, let file, let head else { return }
    let known = keepsSegments ? priorBytes.segments : nil
    var journal = known?.journal ?? SegmentJournal()
    journal.received.insert(0..<count)
    journal.durable.insert(0..<synced)
    let follower: FrontierHasher
    do throws(SystemError) {
      follower = FrontierHasher(try options.folder.open(options.path), from: count)
    } catch {
      throw SinkError(error)
    }
    isSegmented = true
    self.file = nil
    counter.expect(segmentVersion.total, from: journal.received.byteCount)
    hasher.handOver(to: follower)
    try segments.begin(
      SegmentedFile(
        file, segmentVersion, part, journal: journal, sequence: known?.sequence ?? 0),
      follower, head)
  }
}
