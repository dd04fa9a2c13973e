import Hashing
import LibraryAPI
import Manifests
import Models
import Persistence
import SystemCalls
import Threading
import Transport

/// A source's bytes in a file, and what is known of them.
struct SpooledSource: Sendable {
  let path: String
  /// Where it came from, for relative URLs.
  let url: HTTPURL?
  let fields: HTTPFields
  let byteCount: Int64
  let head: [UInt8]
  let format: ResourceFormat
  /// Of a spool; a user's file is hashed only when it is copied.
  var digest: Digest?
  var validator = Validator()
  var timings = TransferTimings()
  /// The address that sent it, if it was fetched and the transport knows.
  var remoteAddress: String?
  /// A spool is ours to move or remove; a user's file is not.
  var isTemporary = false
  /// The request whose partial file serves as the spool; nil if the source was not fetched.
  var request: RequestKey?
  /// `fields` are those of an answer with content.
  var hasAnswer = true
}

/// Brings a source into a file that can be read from the beginning, several times. What is fetched
/// goes through `Download` as every resource does: a transfer that breaks off is continued by range,
/// by the next attempt or by the next run of the program.
struct SourceFetcher: Sendable {
  let downloadContext: Download.Context
  let clock: any MonotonicClock
  let disk: BlockingQueue
  /// Keeps partial files of sources from one run to the next; nil means nobody does.
  let engine: Engine?
  /// Is told now and then how much of a source has come, and how long it is.
  var report: @Sendable (_ source: String, _ bytes: Int64, _ total: Int64?) -> Void = { _, _, _ in }

  /// - Parameters:
  ///   - known: what an earlier answer was; the server is asked whether it changed.
  ///   - format: as the user forces it; nil means the first bytes tell, and what can be no source is
  ///     refused as soon as they are there.
  ///   - isStrict: it was named by a page from a public address.
  /// - Returns: nil if it did not.
  func open(
    _ location: SourceRequest.Location, unless known: Validator = Validator(),
    format: ManifestFormat? = nil, isStrict: Bool = false
  ) async throws -> SpooledSource? {
    switch location {
    case .url(let url):
      try await fetch(
        SourceDownload(
          url: url, known: known, origin: isStrict ? .publicPage : .sourceOfUser,
          isRecognised: format == nil))
    case .file(let path): try await local(path, isTemporary: false)
    case .standardInput(let spool): try await local(spool, isTemporary: true)
    }
  }

  /// Removes what was spooled, unless it has been adopted.
  /// - Parameter isUnread: it was not read to its end: the next `add` need not fetch it again.
  func close(_ source: SpooledSource, isUnread: Bool = false) async {
    guard source.isTemporary else { return }
    if let engine, let request = source.request {
      var partial: PartialDownload?
      if isUnread, source.validator.ifRange != nil {
        partial = PartialDownload(
          validator: source.validator, totalBytes: source.byteCount, bootID: downloadContext.bootID,
          syncedBytes: 0)
      }
      return await engine.endSource(request, keeping: partial)
    }
    // What cannot be removed now is swept at the next start.
    try? await disk.run { try FileSystem.removeSpool(source.path) }
  }

  private func local(_ path: String, isTemporary: Bool) async throws -> SpooledSource {
    try await disk.run {
      do {
        let file = try FileSystem.open(path, followingLinks: !isTemporary)
        let status = try file.status()
        guard status.kind == .file else {
          throw LibraryError(.source, "\(path): not a regular file")
        }
        let head = try file.bytes(count: ResourceFormat.sniffLength, at: 0)
        let digest =
          isTemporary ? try PrefixDigest(of: file, atMost: nil).hasher.finalize() : nil
        return SpooledSource(
          path: path, url: nil, fields: HTTPFields(), byteCount: status.size, head: head,
          format: ResourceFormat(sniffing: head) { () throws(SystemError) in
            try FileSystem.open(path, followingLinks: !isTemporary)
          },
          digest: digest, isTemporary: isTemporary)
      } catch let error as SystemError {
        throw LibraryError(.source, error.description)
      }
    }
  }

  private func fetch(_ source: SourceDownload) async throws -> SpooledSource? {
    let named = source.request(downloadContext.defaults.fields)
    let place =
      try await engine?.beginSource(named)
      ?? SourceResumePoint(request: RequestKey(from: downloadContext.random), partial: nil)
    do {
      let found = try await attempts(source, place)
      if found == nil { await engine?.endSource(place.request, keeping: nil) }
      return found
    } catch {
      await engine?.leaveSource(place.request)
      throw error
    }
  }

  private func attempts(
    _ source: SourceDownload, _ place: SourceResumePoint
  ) async throws -> SpooledSource? {
    let policy = RetryPolicy(downloadContext.settings.network)
    var partial = place.partial
    var failures = 0
    while true {
      let owner = SourceAttempt(engine)
      let download = source.download(
        place.request, partial, downloadContext, owner: owner, report: report)
      await engine?.attemptBegan(download)
      let failure: DownloadFailure
      switch await owner.outcome(of: download) {
      case .whole(let file):
        let found = try await spooled(file, download, place.request)
        await engine?.attemptEnded(download)
        if found.hasAnswer || !ManifestRecognition.recognise(head: found.head).isList {
          return found
        }
        // All of it was there. Where a list continues may stand in the answer's fields only, and the
        // answer that no byte is left has not got them.
        await engine?.keepSource(nil, of: place.request)
        partial = nil
        continue
      case .unchanged:
        await engine?.attemptEnded(download)
        return nil
      case .failed(let reason, let left):
        await engine?.attemptEnded(download)
        await engine?.keepSource(left, of: place.request)
        (failure, partial) = (reason, left)
      }
      if Task.isCancelled || failure == .cancelled { throw CancellationError() }
      failures = RetryPolicy.failures(
        after: failures, gained: download.gainedBytes, wasBackingOff: failure.isThrottled)
      switch policy.decide(
        attempts: failures, isRetryable: failure.isRetryable && !failure.isUnreachable,
        retryAfter: failure.retryAfter, chance: downloadContext.random.fraction())
      {
      case .giveUp: throw LibraryError(failure, url: source.url.description)
      case .retry(let after): try await clock.sleep(until: clock.now() + after)
      }
    }
  }

  private func spooled(
    _ file: StoredFile, _ download: Download, _ request: RequestKey
  ) async throws -> SpooledSource {
    let path = downloadContext.layout.partial(of: request)
    let folder = downloadContext.layout.folder
    let head = try await disk.run {
      try folder.open(path).bytes(count: ResourceFormat.sniffLength, at: 0)
    }
    let answer = download.head
    return SpooledSource(
      path: path, url: answer?.url, fields: answer?.fields ?? HTTPFields(),
      byteCount: file.byteCount, head: head, format: file.format, digest: file.digest,
      validator: file.validator,
      timings: file.timings, remoteAddress: answer?.remoteAddress, isTemporary: true,
      request: request, hasAnswer: answer.map { $0.status != 416 } ?? false)
  }
}
