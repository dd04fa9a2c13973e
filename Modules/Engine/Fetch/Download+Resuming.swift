import LibraryAPI
import Models
import Persistence
import Synchronization
import SystemCalls
import Threading

/// The partial file at the beginning and at the end of an attempt.
extension Download {
  /// Returns the state of the partial file. Within one boot of the machine its whole length is trusted,
  /// after another boot only the bytes that were synced.
  func resumePoint(of partial: PartialDownload?) async -> Start {
    guard let partial, partial.validator.ifRange != nil else { return Start() }
    progress.withLock { $0.continued = partial }
    let path = path
    let isSameBoot = partial.bootID == downloadContext.bootID && !partial.bootID.isEmpty
    let folder = downloadContext.layout.folder
    let found = try? await downloadContext.files.run {
      let file = try folder.open(path)
      let (limit, segments) = try Self.usableContent(of: file, partial, isSameBoot: isSameBoot)
      return (prefix: try PrefixDigest(of: file, atMost: limit), segments: segments)
    }
    guard let (prefix, segments) = found, prefix.count > 0, prefix.count >= partial.syncedBytes
    else { return Start() }
    var known = ResumeDecision.PriorBytes(
      byteCount: prefix.count, syncedByteCount: partial.syncedBytes, validator: partial.validator,
      totalBytes: partial.totalBytes, isVerifiedAtEnd: job.isVerifiedAtEnd)
    known.segments = segments
    return Start(priorBytes: known, prefix: prefix)
  }

  /// Returns the resumable part after a failure. If the attempt never opened the file, its old part is
  /// unchanged.
  func partialDownload(of sink: FileSink) -> PartialDownload? {
    progress.withLock { $0.head = sink.headWithLinks }
    if sink.hasBegun {
      let partial = sink.partial
      let added =
        sink.isSegmented
        ? sink.segments?.gainedBytes ?? 0 : sink.count - sink.priorBytes.byteCount
      let gained = partial == nil ? 0 : max(0, added)
      progress.withLock { $0.gained = gained }
      return partial
    }
    let continued = progress.withLock { $0.continued }
    return sink.priorBytes.byteCount > 0 ? continued ?? job.partial : nil
  }
}
