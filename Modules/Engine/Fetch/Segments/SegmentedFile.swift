import Models
import Persistence
import SystemCalls

/// A partial file that several connections fill, with the list of its ranges behind its end. Guarded by the
/// lock of its `SegmentedTransfer`.
///
/// The list never claims a byte that the file does not contain. A range is listed as received only after the
/// write of its bytes has returned, so that a killed process leaves a true list: both writes are in the page
/// cache in this order. A range is listed as durable only after a sync that began when all of its bytes were
/// written has succeeded. A power cut may keep the list and lose the bytes, and therefore only the durable
/// ranges of a list count after a restart of the machine. The list itself is not synced: an older one claims
/// less.
struct SegmentedFile: Sendable {
  let file: OwnedDescriptor
  let version: SegmentVersion
  /// The URL and the validator with which the partial file is recorded. The tag is that of `version`, unless
  /// the file contains bytes of several URLs.
  let part: PartContinuation.Part
  private(set) var journal: SegmentJournal
  /// The number of the list's last write; 0 if it was never written.
  private var sequence: UInt64
  private var journaledBytes: Int64
  private var syncedBytes: Int64
  private var isSyncing = false
  /// Whether a write or sync has failed. The list in the file is then older than the content, and still true.
  private var hasFailed = false
  private var isComplete = false

  /// The growth of the received bytes after which the list is written.
  private static let journalInterval: Int64 = 1 << 20

  /// - Parameters:
  ///   - journal: The bytes on the disk.
  ///   - sequence: The number of the last list in the file; 0 if there is none.
  init(
    _ file: OwnedDescriptor, _ version: SegmentVersion, _ part: PartContinuation.Part,
    journal: SegmentJournal, sequence: UInt64
  ) {
    self.file = file
    self.version = version
    self.part = part
    self.journal = journal
    self.sequence = sequence
    journaledBytes = journal.received.byteCount
    syncedBytes = journal.durable.byteCount
  }

  /// The state from which a later attempt can continue; nil if the first byte is missing.
  func partial(bootID: String) -> PartialDownload? {
    guard journal.received.prefixEnd > 0 else { return nil }
    return PartialDownload(
      validator: part.validator, totalBytes: version.total, bootID: bootID,
      syncedBytes: journal.durable.prefixEnd, hasGaps: !isComplete, url: part.url)
  }

  mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
    do throws(SystemError) {
      try file.write(all: bytes, at: offset)
    } catch {
      hasFailed = true
      throw error
    }
  }

  /// Records the received bytes, and writes the list from time to time.
  mutating func record(_ received: ByteRangeSet) throws(SystemError) {
    journal.received = received
    if received.byteCount &- journaledBytes >= Self.journalInterval { try writeJournal() }
  }

  /// Writes the list, unless the file has failed. Blocks.
  mutating func writeJournal() throws(SystemError) {
    guard !hasFailed else { return }
    sequence += 1
    journaledBytes = journal.received.byteCount
    do throws(SystemError) {
      try journal.write(to: file, sequence: sequence, total: version.total)
    } catch {
      hasFailed = true
      throw error
    }
  }

  /// Returns the ranges that are to be synced now, which the caller does without the lock; nil if less than
  /// `interval` bytes are not synced, or a sync is running.
  mutating func beginSync(_ interval: Int64?) -> ByteRangeSet? {
    guard let interval, !isSyncing, journal.received.byteCount &- syncedBytes >= interval else {
      return nil
    }
    isSyncing = true
    return journal.received
  }

  /// Records the result of a sync: the ranges survive a power cut.
  mutating func endSync(of ranges: ByteRangeSet) throws(SystemError) {
    isSyncing = false
    journal.durable = ranges.union(journal.durable)
    syncedBytes = journal.durable.byteCount
    try writeJournal()
  }

  /// Records that a sync has failed. A later one might succeed without the bytes, so none is tried.
  mutating func fail() { hasFailed = true }

  /// Cuts off the list, because all bytes of the content were received.
  mutating func complete() throws(SystemError) {
    try file.truncate(to: version.total)
    isComplete = true
  }
}
