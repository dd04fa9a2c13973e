import Models
import Persistence
import ProgressTree
import Synchronization
import SystemCalls
import Transport

/// The bytes of the segments, on their way from the transport's threads to the file.
extension SegmentedTransfer {
  /// Records that a valid response has begun.
  /// - Parameter end: The end of the response; nil if it is that of the segment.
  /// - Returns: false if the segment is not needed any more.
  func confirm(_ id: SegmentID, upTo end: Int64? = nil) -> Bool {
    let (isNeeded, duplicates) = state.withLock { state in
      let activeCount = state.session.plan?.active.count
      let isNeeded = state.session.confirm(id, upTo: end)
      let isChanged = state.session.plan?.active.count != activeCount
      return (isNeeded, isChanged ? state.works(of: state.session.removed) : [])
    }
    for work in duplicates { work.cancel() }
    return isNeeded
  }

  /// Writes the next bytes of the stream.
  func receive(_ bytes: RawSpan) throws(SinkError) {
    guard let stream = state.withLock({ $0.stream.id }) else { return }
    try receive(bytes, for: stream)
  }

  /// Writes the next bytes of a segment.
  /// - Throws: If the segment accepts no more bytes, or the disk fails; the request then ends.
  func receive(_ bytes: RawSpan, for id: SegmentID) throws(SinkError) {
    let written = try bytes.withUnsafeBytes { (bytes) throws(SinkError) in
      try state.withLock { (state) throws(SinkError) in try write(bytes, for: id, &state) }
    }
    for work in written.preempted { work.cancel() }
    written.hasher?.advance(to: written.frontier)
    if let received = written.unsynced { try sync(received) }
    if written.byteCount < bytes.byteCount {
      throw SinkError("all bytes of the segment were received")
    }
  }

  private struct Written {
    var byteCount = 0
    var frontier: Int64 = 0
    var hasher: FrontierHasher?
    /// The requests of segments that the stream has taken over.
    var preempted: [any Cancellable] = []
    /// The ranges that are to be synced now; nil if no sync is due.
    var unsynced: ByteRangeSet?
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, for id: SegmentID, _ state: inout State
  ) throws(SinkError) -> Written {
    var written = Written()
    let activeCount = state.session.plan?.active.count
    do throws(SystemError) {
      while written.byteCount < bytes.count,
        let place = state.session.position(for: id, upTo: bytes.count - written.byteCount)
      {
        let part = UnsafeRawBufferPointer(
          rebasing: bytes[written.byteCount...].prefix(place.count))
        try state.file?.write(part, at: place.offset)
        state.session.receive(place.count, for: id)
        written.byteCount += place.count
      }
      guard written.byteCount > 0, let plan = state.session.plan else { return written }
      try state.file?.record(plan.received)
      if plan.active.count != activeCount {
        written.preempted = state.works(of: state.session.removed)
      }
      configuration.counter.set(received: plan.received.byteCount)
      written.frontier = plan.received.prefixEnd
      written.hasher = state.hasher
      written.unsynced = state.file?.beginSync(configuration.syncInterval)
      return written
    } catch {
      state.session.failDisk(DownloadFailure(error))
      throw SinkError(error)
    }
  }

  /// Syncs the file, and then records that these ranges survive a power cut.
  private func sync(_ ranges: ByteRangeSet) throws(SinkError) {
    guard let descriptor = state.withLock({ $0.file?.file }) else { return }
    do throws(SystemError) {
      try descriptor.syncData()
      try state.withLock { (state) throws(SystemError) in try state.file?.endSync(of: ranges) }
    } catch {
      state.withLock { state in
        state.file?.fail()
        state.session.failDisk(DownloadFailure(error))
      }
      throw SinkError(error)
    }
    reportPartial()
  }

  // MARK: - The state of the file

  /// The state from which a later attempt can continue; nil if the first byte is missing.
  var partial: PartialDownload? {
    state.withLock { $0.file?.partial(bootID: configuration.bootID) }
  }

  /// Reports the state of the file to the owner, which records it in the store.
  func reportPartial() {
    if let partial { configuration.owner.partialFileChanged(partial, of: configuration.run) }
  }

  /// The number of bytes that the file contains.
  var receivedBytes: Int64 { state.withLock { $0.file?.journal.received.byteCount ?? 0 } }
}
