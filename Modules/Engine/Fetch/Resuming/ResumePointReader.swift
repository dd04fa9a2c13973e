import LibraryAPI
import Models
import Persistence
import SystemCalls
import Threading

/// The state of the partial file with which an exchange begins. The sink takes over the hasher in `prefix`, so a
/// value is used once.
struct ResumePoint: Sendable {
  var priorBytes = ResumeDecision.PriorBytes()
  /// The digest state of the existing bytes, or nil if there are none.
  var prefix: PrefixDigest?

  var isFromBeginning: Bool { priorBytes.byteCount == 0 && priorBytes.endangered == nil }
}

/// Reads the partial file of earlier attempts, and finds out which of its bytes a request can continue.
struct ResumePointReader {
  let job: Job
  /// The partial file.
  let path: String
  let context: Download.Context

  struct Found {
    var point = ResumePoint()
    /// The state of the partial file that the request continues or keeps; nil if it does neither.
    var continued: PartialDownload?
    /// The number of bytes in the file that can be continued; nil if there are none.
    var resumableByteCount: Int64?
  }

  /// Returns the state of the partial file for a request to `url`. Within one boot of the machine its whole
  /// length is trusted if it has no gaps, after another boot only the bytes that were synced.
  func resumePoint(of partial: PartialDownload, at url: HTTPURL) async -> Found {
    let continuation = PartContinuation(
      of: PartContinuation.Part(partial),
      by: PartContinuation.Candidate(url: url.equivalenceKey, isOwn: !job.isOnMirror),
      checksum: job.location.isImageService ? nil : job.storedChecksum)
    if continuation == .none { return await endangered(partial, at: url) }
    var result = Found(continued: partial)
    let path = path
    let isSameBoot = partial.bootID == context.bootID && !partial.bootID.isEmpty
    let folder = context.layout.folder
    let found = try? await context.files.runCancellable { isCancelled in
      let file = try folder.open(path)
      let (limit, segments) = try Self.usableContent(of: file, partial, isSameBoot: isSameBoot)
      return (prefix: try PrefixDigest(of: file, atMost: limit, isCancelled), segments: segments)
    }
    // Bytes of an unknown URL that are continued under their validator are those of the resource's own URL.
    let source = partial.url ?? (continuation == .verifiedByChecksum ? nil : url.equivalenceKey)
    guard let (prefix, segments) = found, prefix.count > 0, prefix.count >= partial.syncedBytes
    else { return result }
    var known = ResumeDecision.PriorBytes(
      byteCount: prefix.count, syncedByteCount: partial.syncedBytes, validator: partial.validator,
      totalBytes: partial.totalBytes, url: source, continuation: continuation)
    known.segments = segments
    if continuation == .verifiedByChecksum {
      known.endangered = WholeBodyCheck.Endangered(
        byteCount: prefix.count, totalBytes: partial.totalBytes,
        isPage: ResourceFormat(sniffing: prefix.head) == .html)
    }
    result.resumableByteCount = segments?.journal.received.byteCount ?? prefix.count
    result.point = ResumePoint(priorBytes: known, prefix: prefix)
    return result
  }

  /// Returns the start of a request that cannot continue the partial file. Bytes of another URL are kept until
  /// a response is accepted that replaces them.
  private func endangered(_ partial: PartialDownload, at url: HTTPURL) async -> Found {
    // Different URLs of an image service are those of different sizes of the image.
    guard !job.location.isImageService, let other = partial.url,
      PartSource(other).url != url.equivalenceKey
    else { return Found() }
    let (path, folder) = (path, context.layout.folder)
    let found = try? await context.files.run {
      let file = try folder.open(path)
      return (
        count: try file.status().size,
        head: try file.bytes(count: ResourceFormat.sniffLength, at: 0)
      )
    }
    guard let found, found.count > 0 else { return Found() }
    var result = Found(continued: partial)
    result.point.priorBytes.endangered = WholeBodyCheck.Endangered(
      byteCount: min(found.count, partial.totalBytes ?? found.count),
      totalBytes: partial.totalBytes, isPage: ResourceFormat(sniffing: found.head) == .html)
    return result
  }

  /// Returns the number of bytes at the beginning of a partial file that can be trusted, nil for all, and the
  /// ranges beyond them. Blocks.
  ///
  /// A file that is longer than its content was received in segments and has gaps. Without a valid list of
  /// ranges, only the synced prefix is known to have none; the row tells whether a file that is not longer, because it
  /// was cut short, has lost its list.
  private static func usableContent(
    of file: OwnedDescriptor, _ partial: PartialDownload, isSameBoot: Bool
  ) throws(SystemError) -> (limit: Int64?, segments: ResumeDecision.PriorBytes.Segments?) {
    guard let total = partial.totalBytes, try file.status().size > total else {
      return (isSameBoot && !partial.hasGaps ? nil : partial.syncedBytes, nil)
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
