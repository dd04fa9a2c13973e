import LibraryAPI
import Models
import Persistence
import Synchronization
import SystemCalls
import Threading

/// The partial file at the beginning and at the end of an attempt.
extension Download {
  /// Returns the state of the partial file for a request to `url`. Within one boot of the machine its whole
  /// length is trusted, after another boot only the bytes that were synced.
  func resumePoint(of partial: PartialDownload?, at url: HTTPURL) async -> Start {
    guard let partial else { return Start() }
    let continuation = PartContinuation(
      of: PartContinuation.Part(partial),
      by: PartContinuation.Candidate(url: url.equivalenceKey, isOwn: !job.isOnMirror),
      digest: requestsImageSize ? nil : job.storedDigest)
    if continuation == .none { return await endangeredStart(partial, at: url) }
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
      totalBytes: partial.totalBytes, url: partial.url, continuation: continuation)
    known.segments = segments
    recordPrior(segments?.journal.received.byteCount ?? prefix.count)
    if continuation == .verifiedByDigest {
      known.endangered = WholeBodyCheck.Endangered(
        byteCount: prefix.count, totalBytes: partial.totalBytes,
        isPage: ResourceFormat(sniffing: prefix.head) == .html)
    }
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

  /// Returns the start of a request that cannot continue the partial file. Bytes of another URL are kept until
  /// a response is accepted that replaces them.
  private func endangeredStart(_ partial: PartialDownload, at url: HTTPURL) async -> Start {
    guard !requestsImageSize, let other = partial.url, other != url.equivalenceKey else {
      return Start()
    }
    let (path, folder) = (path, downloadContext.layout.folder)
    let found = try? await downloadContext.files.run {
      let file = try folder.open(path)
      return (
        count: try file.status().size,
        head: try file.bytes(count: ResourceFormat.sniffLength, at: 0)
      )
    }
    guard let found, found.count > 0 else { return Start() }
    progress.withLock { $0.continued = partial }
    var start = Start()
    start.priorBytes.endangered = WholeBodyCheck.Endangered(
      byteCount: min(found.count, partial.totalBytes ?? found.count),
      totalBytes: partial.totalBytes, isPage: ResourceFormat(sniffing: found.head) == .html)
    return start
  }

  /// Whether the URL is that of one size of an image, and another URL that of another size.
  private var requestsImageSize: Bool {
    if case .imageService = job.location { true } else { false }
  }

  /// Records in the store that the bytes are of several URLs, before the first byte of another one is appended.
  /// A killed process would otherwise leave a row that claims one version for all of them.
  /// - Returns: false if the store cannot be written.
  func recordJoining(_ start: Start) async -> Bool {
    guard start.priorBytes.continuation == .verifiedByDigest,
      let partial = progress.withLock({ $0.continued }),
      partial.url != nil || !partial.validator.isEmpty
    else { return true }
    return await owner.replaceRow(
      of: job.request,
      by: PartialDownload(
        validator: Validator(), totalBytes: partial.totalBytes, bootID: partial.bootID,
        syncedBytes: partial.syncedBytes))
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
    let isKept = sink.priorBytes.byteCount > 0 || sink.priorBytes.endangered != nil
    return isKept ? continued ?? job.partial : nil
  }
}
