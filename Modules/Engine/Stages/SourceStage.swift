import Archive
import Hashing
import LibraryAPI
import Manifests
import Models
import Persistence
import ProgressTree
import SystemCalls
import Threading

/// Adds sources. Their downloads begin when the whole list is stored, so a killed `add` either had no effect
/// or is continued by the same command (DL4).
final class SourceStage: Stage {
  /// The sources being added, with the number of their entries so far.
  private var adding: [SourceID: SourceStatus] = [:]
  /// The sources that this engine has added.
  private var added: Set<SourceID> = []
  /// The locks of the keys of sources: of two concurrent adds of a source, the second one continues the first one.
  private var keys = KeyedFIFOLock<String>()
  private lazy var robots = RobotsPolicy(context.downloads, clock: ports.clock)

  /// The status of the sources being added, in the order in which they were begun.
  var beingAdded: [SourceStatus] {
    adding.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
  }

  func add(_ request: SourceRequest) async throws -> AddResult {
    var request = request
    let began = request.since ?? records.lastResource
    request.since = began
    let key = try await key(of: request)
    var result =
      request.again
      ? try await append(request, key: key) : try await addInTurn(request, key: key)
    result.began = began
    return result
  }

  /// Adds a source after the concurrent adds of the same source, which it then continues.
  private func addInTurn(_ request: SourceRequest, key: String) async throws -> AddResult {
    let known = try store.source(key: key)?.id
    await withCheckedContinuation { keys.acquire(key, $0) }
    defer { keys.release(key) }
    try Task.checkCancellation()
    guard let earlier = try await earlier(request, key: key, before: known) else {
      return try await append(request, key: key)
    }
    await removeSpool(of: request)
    return earlier
  }

  /// Returns the key of a source: the canonical URL, the real path, or the hash of the content.
  private func key(of request: SourceRequest) async throws -> String {
    switch request.location {
    case .url(let url): url.description
    case .file(let path): "file:" + path
    case .standardInput(let spool):
      try await context.reading.run {
        "content:"
          + (try PrefixDigest(
            of: FileSystem.open(spool, followingLinks: false), atMost: nil
          ).hasher.finalize().description)
      }
    }
  }

  /// Compares the file of a request with what an earlier `add` of it has read.
  private func fileChange(
    of request: SourceRequest, key: String
  ) async throws -> AddResult.FileChange {
    guard case .file = request.location, let source = try store.source(key: key) else {
      return .none
    }
    let known = source.state.validator
    // A refresh, and earlier versions of imgdl, store none.
    let version = try await fileVersion(of: request)
    guard !known.isEmpty, !version.isEmpty else { return .unknown }
    return version == known ? .none : .changed
  }

  /// Returns a validator of the content of the request's file; an empty one for other locations, and for what cannot be
  /// read, which the reading of the source reports.
  private func fileVersion(of request: SourceRequest) async throws -> Validator {
    guard case .file(let path) = request.location else { return Validator() }
    return try await context.reading.run {
      guard let file = try? FileSystem.open(path), (try? file.status())?.kind == .file,
        let prefix = try? PrefixDigest(of: file, atMost: nil)
      else { return Validator() }
      return Validator(entityTag: EntityTag("\"\(prefix.hasher.finalize())\""))
    }
  }

  private func removeSpool(of request: SourceRequest) async {
    guard case .standardInput(let spool) = request.location else { return }
    // The next start deletes a spool that cannot be deleted now.
    try? await disk.run { try FileSystem.removeSpool(spool) }
  }

  /// Returns the result for a source that was added before, if it has unfinished or failed resources, or was not read
  /// to its end, or if it is another one than when this request was made; otherwise nil.
  /// - Parameter known: The source with the key when the request was made, before it waited for its turn.
  private func earlier(
    _ request: SourceRequest, key: String, before known: SourceID?
  ) async throws -> AddResult? {
    guard let source = try store.source(key: key) else { return nil }
    if try await stages.requestOptions.set(request.options, of: source.id) {
      // The server may answer these cookies and fields otherwise.
      for record in try store.records(of: source.id) where record.counts.failed > 0 {
        _ = try await stages.verbs.retry(record.id)
      }
    }
    // A concurrent `add` of the same source may not have synced its rows yet.
    try await commits.syncOutstandingRows()
    let problems = try await readRest(of: source, as: request)
    let records = try store.records(of: source.id)
    guard !records.isEmpty else { return nil }
    var counts = ResourceCounts()
    for record in records { counts += record.counts }
    var result = AddResult(
      outcome: .continued, isUnderWay: problems == nil && added.contains(source.id),
      records: records.map(\.id), entryCount: counts.total,
      problems: problems ?? [], problemCount: problems?.count ?? 0)
    if problems == nil { result.fileChange = try await fileChange(of: request, key: key) }
    if counts.settled < counts.total {
      for record in records { try catalog.track(record.id) }
      transfers.queueChanged()
      return result
    }
    if counts.failed > 0 {
      result.outcome = .onlyFailuresRemain
      return result
    }
    return problems == nil && source.id == known ? nil : result
  }

  /// Reads what earlier readings have left out of a source, because a page failed or a limit was exceeded. If that fails
  /// again, what is known of the source can still be downloaded.
  /// - Returns: The problems; nil if the source was read to its end.
  private func readRest(of source: SourceRow, as request: SourceRequest) async throws -> [String]? {
    guard let record = try store.firstRecord(of: source.id) else { return nil }
    do {
      return try await stages.refreshes.readRest(of: record, from: request)
    } catch {
      guard !Task.isCancelled, let error = error as? LibraryError,
        SourceProgress.concernsDocument(error)
      else { throw error }
      return [error.detail]
    }
  }

  /// Adds a source. A URL that is not a list is tried as the base of a series, whose list is at
  /// `BASE/series` (SV1).
  private func append(_ request: SourceRequest, key: String) async throws -> AddResult {
    do {
      return try await read(request, key: key)
    } catch let cause {
      var failure: any Error = cause
      if let series = request.asSeries, LibraryError.wrapping(cause).code == .source,
        !lifecycle.isStopping
      {
        do { return try await read(series, key: key) } catch {
          failure = SeriesAttempt.failure(cause, error)
        }
      }
      emitFailure(failure, of: request)
      throw failure
    }
  }

  private func read(_ request: SourceRequest, key: String) async throws -> AddResult {
    let name = request.name
    await stages.removals.waitForReset()
    let resetCount = stages.removals.resetCount
    try await untilUnlocked()
    let options = try stages.requestOptions.terms(request.options)
    let earlier = try store.source(key: key)
    let draft = SourceDraft(
      key: key, location: name, format: request.form.text, isLazy: request.isLazy,
      options: options.flatMap { StoredOptions($0).text })
    let source = try store.beginSource(draft)
    do {
      if let options { try stages.requestOptions.keep(options, of: source) }
    } catch {
      try? store.discardSource(source)
      throw error
    }
    adding[source] = SourceStatus(location: name)
    defer { adding[source] = nil }
    let target = StoreImport(
      maker: stages.engine, layout: layout, source: source, request: request, disk: disk,
      keepsSigned: earlier != nil
    ) { [weak engine = stages.engine] event in
      await engine?.run { $0.sources.emitImportEvent(source, name, event) }
    }
    do {
      // The version before the reading: a file that changes during the reading has changed since.
      let version = try await fileVersion(of: request)
      let pages =
        stages.refreshes.readsPagesOnDemand(isLazy: request.isLazy) ? 1 : Int.max
      let outcome = try await read(
        request, SourceImport.Extent(pages: pages), into: target, terms(of: source, key: key))
      try await target.waitForInsertion()
      var state = outcome.state
      state.isSeries = await target.isSeries
      state.setsCookies = context.cookies.registerReading(of: source)
      if case .file = request.location { state.validator = version }
      try await untilUnlocked()
      try stages.removals.checkReset(since: resetCount)
      try store.setState(state, of: source)
      guard await target.entryCount > 0 else {
        throw LibraryError(
          .source, await nothingUsable(request, target), underlying: NothingUsable())
      }
      if let failure = lifecycle.failure { throw failure }
      if let earlier {
        let row = SourceRow(id: source, draft: draft, state: state)
        try await shareFiles(of: earlier, with: target.signed, of: row, since: resetCount)
      }
    } catch {
      let failure = await target.failure ?? error
      // The reset has deleted the rows of the source, and the files from which it is read.
      let cause: any Error =
        resetCount == stages.removals.resetCount ? failure : LibraryError.wasReset
      if LibraryError.wrapping(cause).code == .diskFull {
        // Undoing the import also needs room, for the log of the store.
        try? await disk.run { [layout] in _ = DiskReserve(layout).deleteFile() }
      }
      await discard(source, target)
      throw cause
    }
    do {
      let result = try await complete(source, target, since: request.since)
      try stages.removals.checkReset(since: resetCount)
      added.insert(source)
      return result
    } catch {
      try stages.removals.checkReset(since: resetCount)
      throw error
    }
  }

  /// Emits an event for a failure, because the client that requested the source may have disconnected.
  private func emitFailure(_ failure: any Error, of request: SourceRequest) {
    guard request.outlivesClient, !lifecycle.isStopping else { return }
    announcer.emit(.problem(LibraryError.wrapping(failure).detail))
  }

  private func discard(_ source: SourceID, _ target: StoreImport) async {
    if let path = await target.adopted?.path {
      try? await disk.run { try FileSystem.removeSpool(path) }
    }
    try? await untilUnlocked()
    try? store.discardSource(source)
    context.options.remove(source)
    await stages.removals.removeLeftovers()
  }

  /// Reads a source into a target, outside of the engine.
  func read(
    _ request: SourceRequest, _ extent: SourceImport.Extent, into target: any ImportTarget,
    _ terms: RequestTerms
  ) async throws -> SourceImport.Outcome {
    // An error that is not caught here may leave this method on another executor: "Traps" in
    // Documentation/Concurrency.md.
    do {
      return try await importer(terms).run(request, extent, into: target)
    } catch {
      throw error
    }
  }

  /// What the requests for the documents of a source have in common.
  func terms(of source: SourceID, key: String) -> RequestTerms {
    let options = stages.requestOptions.terms(of: source)
    return RequestTerms(
      options?.defaults ?? context.downloads.defaults, scope: CredentialScope(ofSource: key),
      cookies: context.cookies[.source(source)], credentials: options?.credentials,
      hasOptions: options != nil)
  }

  private func importer(_ terms: RequestTerms) -> SourceImport {
    SourceImport(
      fetcher: SourceFetcher(
        downloadContext: context.downloads, terms: terms, clock: ports.clock, disk: disk,
        owner: stages.engine,
        report: { [weak engine = stages.engine] name, bytes, total in
          Task {
            await engine?.run { $0.sources.emitReading(name, bytes, total) }
          }
        },
        reportWait: { [weak engine = stages.engine] site, seconds, reason in
          Task { await engine?.run { $0.sources.emitWait(site, seconds, reason) } }
        }),
      robots: terms.hasOptions
        ? RobotsPolicy(context.downloads, clock: ports.clock, terms: terms) : robots,
      archive: GuardedArchiveReader(
        ports.archive, policy: ArchivePolicy(settings.limits)),
      markup: ports.markup, limits: settings.limits, reading: context.reading)
  }

  private func emitReading(_ name: String, _ bytes: Int64, _ total: Int64?) {
    announcer.emit(.sourceReading(location: name, bytes: bytes, total: total))
  }

  private func emitWait(_ site: String, _ seconds: Double, _ reason: String) {
    announcer.emit(.hostWaits(host: site, seconds: seconds, reason: reason))
  }

  private func emitImportEvent(_ source: SourceID, _ name: String, _ event: StoreImport.Event) {
    switch event {
    case .entries(let count):
      adding[source]?.entries = count
      announcer.emit(.sourceLoading(location: name, entries: count))
    case .problem(let problem): announcer.emit(.problem(problem))
    }
  }

  private func nothingUsable(_ request: SourceRequest, _ target: StoreImport) async -> String {
    let name = SourceProgress.documentName(of: request)
    let problems = await target.problems
    let count = await target.problemCount
    guard let first = problems.first else { return "\(name): the list is empty" }
    return count == 1
      ? "\(name): no usable entry: \(first)"
      : "\(name): no usable entry; \(count) problems, the first: \(first)"
  }

  /// Makes the records of a source visible. Before that, the progress counts the records, so that no event
  /// is left uncounted, and the scheduler drops a record with an adopted file, so that its bytes are not
  /// downloaded.
  private func complete(
    _ source: SourceID, _ target: StoreImport, since: ResourceID?
  ) async throws -> AddResult {
    let added = await target.records
    let adopted = await target.adopted
    records.registerLastResource(await target.lastResource)
    for record in added {
      records.registerAddStart(since, of: record.id)
      catalog.track(record)
    }
    if let adopted {
      await withCheckedContinuation { stages.verbs.acquire(adopted.record, $0) }
      transfers.send(.recordDropped(adopted.record))
    }
    defer {
      if let adopted { stages.verbs.release(adopted.record) }
      lifecycle.notifyIfIdle()
    }
    do {
      try await untilUnlocked()
      // The rows are synced before a file gets a name in the record's folder: after a crash, only the rows
      // tell to which record the file belongs.
      try store.completeSource(source)
      commits.requireRowSync()
    } catch {
      for record in added { stages.removals.forget(record.id) }
      await discard(source, target)
      throw error
    }
    for record in added { announcer.emit(.recordAdded(record.id, title: record.title)) }
    do {
      try await commits.syncRows()
    } catch {
      lifecycle.fail(LibraryError.wrapping(error))
      if let adopted { transfers.send(.recordRestored(adopted.record)) }
      throw error
    }
    if let adopted {
      defer { transfers.send(.recordRestored(adopted.record)) }
      try await adoptSourceAsResource(adopted)
    }
    transfers.queueChanged()
    return AddResult(
      outcome: .appended, records: added.map(\.id), entryCount: await target.entryCount,
      problems: await target.problems, problemCount: await target.problemCount)
  }
}
