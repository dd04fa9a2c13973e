import Hashing
import LibraryAPI
import Manifests
import Models
import Persistence
import SystemCalls
import Threading
import Transport

/// A source that is available as a file, with its metadata.
struct SpooledSource: Sendable {
  let path: String
  /// The URL that delivered the source, against which relative URLs are resolved; nil if it was not
  /// fetched.
  let url: HTTPURL?
  let fields: HTTPFields
  let byteCount: Int64
  let head: [UInt8]
  let format: ResourceFormat
  /// The digest of a spool; nil for a user's file, which is hashed only when it is copied.
  var digest: Digest?
  var validator = Validator()
  var timings = TransferTimings()
  /// The address of the server, if the source was fetched and the transport reports it.
  var remoteAddress: String?
  /// Whether the file is a spool, which may be moved or deleted. A user's file must stay as it is.
  var isTemporary = false
  /// The request whose partial file is the spool; nil if the source was not fetched.
  var request: RequestKey?
  /// Whether `fields` belong to a response with content; false after a 416.
  var hasContent = true
  /// Whether the file has all bytes of the source; false for a resource that is downloaded as such.
  var isWhole = true
}

/// Makes a source available as a file that can be read repeatedly from the beginning. A fetched source uses
/// `Download`, as every resource does: the next attempt, or the next run of the program, resumes an
/// interrupted transfer with a range request.
struct SourceFetcher: Sendable {
  let downloadContext: Download.Context
  let terms: RequestTerms
  let clock: any MonotonicClock
  let disk: BlockingQueue
  /// Keeps partial files of sources between runs; nil for a preview, which keeps none.
  let owner: (any SourceOwner)?
  /// Called at intervals with the number of bytes received and the total, if that is known.
  var report: @Sendable (_ source: String, _ bytes: Int64, _ total: Int64?) -> Void = { _, _, _ in }
  /// Called before a site is given the time that it wants between requests.
  var reportWait: WaitReport = { _, _, _ in }

  typealias WaitReport = @Sendable (_ site: String, _ seconds: Double, _ reason: String) -> Void

  /// - Parameters:
  ///   - known: The validator of an earlier answer, for a conditional request.
  ///   - format: The format that the user forces; nil to recognise it from the first bytes, and to refuse a
  ///     body that cannot be a source as soon as they are received.
  ///   - origin: The party that named the location.
  ///   - admission: Asked about each redirect before it is followed; nil if all are followed.
  ///   - deadline: The time of the clock until which the source must be received; nil if it may take any time.
  /// - Returns: The source, or nil if it has not changed since the earlier answer.
  func open(
    _ location: SourceRequest.Location, unless known: Validator = Validator(),
    format: ManifestFormat? = nil, namedBy origin: RequestOrigin = .sourceOfUser,
    redirects admission: DocumentAdmission? = nil, until deadline: Double? = nil
  ) async throws -> SpooledSource? {
    switch location {
    case .url(let url):
      try await fetch(
        SourceDownload(
          url: url, validator: known, origin: origin,
          judge: SourceJudgement(
            format: format, wantsResource: owner != nil, downloadContext.settings),
          permittedRedirects: admission == nil ? nil : []), admission, deadline)
    case .file(let path): try await local(path, isTemporary: false)
    case .standardInput(let spool): try await local(spool, isTemporary: true)
    }
  }

  /// Deletes the spool of a source, unless it has been adopted.
  /// - Parameter isUnread: Whether the source was not read to its end. Then the spool is kept as a partial
  ///   file, and the next `add` need not fetch it again.
  func close(_ source: SpooledSource, isUnread: Bool = false) async {
    guard source.isTemporary else { return }
    if let owner, let request = source.request {
      var partial: PartialDownload?
      if isUnread, source.validator.ifRange != nil {
        partial = PartialDownload(
          validator: source.validator, totalBytes: source.byteCount, bootID: downloadContext.bootID,
          syncedBytes: 0)
      }
      return await owner.endSource(request, keeping: partial)
    }
    // The next start deletes a spool that cannot be deleted now.
    try? await disk.run { try FileSystem.removeSpool(source.path) }
  }

  private func local(_ path: String, isTemporary: Bool) async throws -> SpooledSource {
    try await disk.run {
      do {
        let file = try FileSystem.open(path, followingLinks: !isTemporary)
        let status = try file.status()
        guard status.kind == .file else {
          let kind = status.kind == .folder ? "a folder, not a file" : "not a regular file"
          throw LibraryError(.source, "\(path): \(kind)")
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

  private func fetch(
    _ source: SourceDownload, _ admission: DocumentAdmission?, _ deadline: Double?
  ) async throws -> SpooledSource? {
    let named = source.request(terms)
    let place =
      try await owner?.beginSource(named)
      ?? SourceResumePoint(request: RequestKey(from: downloadContext.random), partial: nil)
    do {
      let found = try await attempts(source, place, admission, deadline)
      if found == nil { await owner?.endSource(place.request, keeping: nil) }
      return found
    } catch {
      await owner?.releaseSource(place.request)
      throw error
    }
  }

  private func attempts(
    _ source: SourceDownload, _ place: SourceResumePoint,
    _ admission: DocumentAdmission?, _ deadline: Double?
  ) async throws -> SpooledSource? {
    var source = source
    let policy = terms.defaults.retries
    var partial = place.partial
    var failures = 0
    var longest: Int64 = 0
    while true {
      let attempt = SourceAttempt(owner)
      source.seconds = deadline.map { max(0, $0 - clock.now()) }
      let download = source.download(
        place.request, partial, longest, downloadContext, terms, owner: attempt, report: report)
      await owner?.attemptBegan(download)
      let failure: DownloadFailure
      switch await attempt.outcome(of: download) {
      case .complete(let file):
        let found = try await spooled(file, download, place.request)
        await owner?.attemptEnded(download)
        if found.hasContent || !ManifestRecognition.recognise(head: found.head).needsFields {
          return found
        }
        // The partial file was already complete. The next page of a list may be named only in the response
        // fields, as the encoding of a web page may, and a 416 response lacks them, so the source is fetched
        // again.
        await owner?.keepSourcePartial(nil, of: place.request)
        partial = nil
        continue
      // Only resources have descriptions.
      case .unchanged, .described:
        await owner?.attemptEnded(download)
        return nil
      case .isResource(let head):
        await owner?.attemptEnded(download)
        await owner?.endSource(place.request, keeping: nil)
        return resource(source.url, head)
      case .failed(let reason, let left):
        await owner?.attemptEnded(download)
        await owner?.keepSourcePartial(left, of: place.request)
        (failure, partial) = (reason, left)
        longest = download.longestPartial
      }
      if Task.isCancelled || failure == .cancelled { throw CancellationError() }
      // The exchange is repeated from its beginning, so that the transport applies all of its rules to each hop.
      if let admission, let next = download.responses.refusedRedirect,
        source.permittedRedirects?.count ?? 0 < downloadContext.defaults.limits.maxRedirects
      {
        try await admission.admit(next, redirectedFrom: source.url)
        source.permittedRedirects?.insert(next)
        continue
      }
      if let deadline, clock.now() >= deadline { throw Self.late(source.url) }
      failures = RetryPolicy.failures(
        after: failures, gained: download.gainedBytes, wasIdleTimeout: failure.isIdleTimeout)
      switch policy.decide(
        attempts: failures, isRetryable: failure.isRetryable && !failure.isUnreachable,
        retryAfter: failure.retryAfter, chance: downloadContext.random.fraction())
      {
      case .fail: throw LibraryError(failure, url: source.url.description)
      case .retry(let after):
        let time = clock.now() + after
        if let deadline, time >= deadline {
          // Other documents do not get the rest of the time, so that it ends the reading of the source.
          try await clock.sleep(until: deadline)
          throw LibraryError(failure, url: source.url.description)
        }
        try await clock.sleep(until: time)
      }
    }
  }

  private static func late(_ url: HTTPURL) -> LibraryError {
    LibraryError(
      .network,
      "\(url): not received in the time in which a document must be read (limits.sourceSeconds)")
  }

  /// Returns a source whose bytes are left to the download of the resource. Its URL is the one that was requested:
  /// the server may redirect the download elsewhere.
  private func resource(_ url: HTTPURL, _ head: ResponseHead) -> SpooledSource {
    SpooledSource(
      path: "", url: url, fields: head.fields, byteCount: 0, head: [], format: .unknown,
      validator: Validator(head.fields).forCondition(after: head),
      remoteAddress: head.remoteAddress, isWhole: false)
  }

  private func spooled(
    _ file: StoredFile, _ download: Download, _ request: RequestKey
  ) async throws -> SpooledSource {
    let path = downloadContext.layout.partial(of: request)
    let folder = downloadContext.layout.folder
    let head = try await disk.run {
      try folder.open(path).bytes(count: ResourceFormat.sniffLength, at: 0)
    }
    let answer = download.responses.head
    return SpooledSource(
      path: path, url: answer?.url, fields: answer?.fields ?? HTTPFields(),
      byteCount: file.byteCount, head: head, format: file.format, digest: file.digest,
      validator: file.validator.forCondition(after: answer),
      timings: file.timings, remoteAddress: answer?.remoteAddress, isTemporary: true,
      request: request, hasContent: answer.map { $0.status != 416 } ?? false)
  }
}
