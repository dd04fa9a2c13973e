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

  /// Considers further connections, if the response allows segments and enough bytes are missing. A file that already
  /// has gaps is received in segments even if no connection is granted.
  func offerSegments(_ head: ResponseHead) throws(SinkError) {
    guard let offer, let total else { return }
    // Most files are too small, which their length shows before anything else is examined.
    guard keepsSegments || total &- count >= 2 * offer.minimumBytes else { return }
    segmentVersion = SegmentVersion(head, total: total)
    guard segmentVersion != nil else { return try dropSegments() }
    let pace = SegmentPace(
      start: count, startedAt: Machine.monotonicNanoseconds, seconds: offer.minimumSeconds)
    segmentPace = pace
    if keepsSegments || pace.isSlow(count, of: total, at: pace.startedAt) { try beginOffer() }
  }

  /// Requests further connections when the rate so far shows that they are worth it.
  func reconsiderSegments() throws(SinkError) {
    guard let segmentPace, let total,
      segmentPace.isSlow(count, of: total, at: Machine.monotonicNanoseconds)
    else { return }
    try beginOffer()
  }

  /// Requests further connections from the engine.
  private func beginOffer() throws(SinkError) {
    guard let offer, let head else { return }
    segmentPace = nil
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
      follower = try hasher.follower(from: count) { () throws(SystemError) in
        try options.folder.open(options.path)
      }
    } catch {
      throw SinkError(error)
    }
    isSegmented = true
    self.file = nil
    counter.expect(segmentVersion.total, from: journal.received.byteCount)
    try segments.begin(
      SegmentedFile(
        file, segmentVersion, part, journal: journal, sequence: known?.sequence ?? 0),
      follower, head)
  }
}
