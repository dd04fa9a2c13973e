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
    let found = try? await downloadContext.files.runCancellable { isCancelled in
      let file = try folder.open(path)
      let (limit, segments) = try Self.usableContent(of: file, partial, isSameBoot: isSameBoot)
      return (prefix: try PrefixDigest(of: file, atMost: limit, isCancelled), segments: segments)
    }
    guard let (prefix, segments) = found, prefix.count > 0, prefix.count >= partial.syncedBytes
    else { return Start() }
    var known = ResumeDecision.PriorBytes(
      byteCount: prefix.count, syncedByteCount: partial.syncedBytes, validator: partial.validator,
      totalBytes: partial.totalBytes, isVerifiedAtEnd: job.isVerifiedAtEnd)
    known.segments = segments
    recordPrior(segments?.journal.received.byteCount ?? prefix.count)
    return Start(priorBytes: known, prefix: prefix)
  }

  /// Records the number of bytes from which the attempt continues. Those that it has received itself, before
  /// segments were given up, are already recorded.
  private func recordPrior(_ byteCount: Int64) {
    progress.withLock { progress in
      if progress.longest.now == 0 { progress.longest = (byteCount, byteCount) }
    }
  }

  /// Records the number of resumable bytes after a failure. Only those beyond the longest earlier state are
  /// a gain: a file that began anew, because its version changed or the server sends no ranges, could
  /// otherwise be requested without end.
  private func recordState(_ byteCount: Int64) {
    progress.withLock { progress in
      progress.longest.now = max(progress.longest.now, byteCount)
      progress.gained = max(
        0, progress.longest.now - max(progress.longest.before, job.longestPartial))
    }
  }

  /// Returns the resumable part after a failure. If the attempt never opened the file, its old part is
  /// unchanged.
  func partialDownload(of sink: FileSink) -> PartialDownload? {
    progress.withLock { $0.head = sink.headWithLinks }
    if sink.hasBegun {
      let partial = sink.partial
      let count = sink.isSegmented ? sink.segments?.receivedBytes ?? 0 : sink.count
      recordState(partial == nil ? 0 : count)
      return partial
    }
    let continued = progress.withLock { $0.continued }
    return sink.priorBytes.byteCount > 0 ? continued ?? job.partial : nil
  }
}
