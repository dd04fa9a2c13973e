import Hashing
import LibraryAPI
import Models
import Persistence
import SystemCalls
import Threading
import Transport

/// Serves standalone resources to callers: from the cache, or with one request for all callers (RM1-RM4).
final class CacheStage: Stage {
  let memory: MemoryCache
  private let intact = IntactFiles()

  override init(_ stages: Stages) {
    let cache = stages.context.settings.cache
    memory = MemoryCache(countLimit: cache.memoryCount, byteLimit: cache.memoryBytes)
    super.init(stages)
  }

  /// Returns the bytes of a resource, through the cache in memory.
  func data(at url: HTTPURL, _ policy: CachePolicy) async throws -> [UInt8] {
    let found = try await resource(at: url, policy)
    let key = found.file.digest.description
    if let bytes = memory.value(for: key) { return bytes }
    let limit = Int(clamping: found.file.byteCount)
    let (bytes, digest) = try await context.files.run { [layout] in
      let bytes = try layout.folder.contents(of: found.path, limit: limit)
      return (bytes, SHA256Hasher.hash(of: bytes))
    }
    // The file may have been replaced since the row was read.
    if digest == found.file.digest { memory.insert(bytes, for: key) }
    return bytes
  }

  func resource(
    at url: HTTPURL, _ policy: CachePolicy, _ options: RequestOptions = RequestOptions()
  ) async throws -> CachedResource {
    let terms = try stages.requestOptions.terms(options)
    var naming = RequestNaming(context.downloads.defaults.user, .everyEntry)
    naming.identity = terms?.identity ?? ""
    let name = naming.name(url, HTTPFields(), isPublic: callersMustUsePublicAddresses)
    var policy = policy
    if policy != .reloaded, standalone.requested(name.request) == nil {
      switch try await existingResource(name.request, policy) {
      case .usable(let found): return found
      // A server cannot confirm a file that has another content than its answer had.
      case .changed: policy = .reloaded
      case .stale, nil: break
      }
    }
    await stages.removals.waitForReset()
    try await untilUnlocked()
    try checkRunning()
    guard !stages.verbs.libraryState.isPaused else {
      throw LibraryError(.policy, "the library is paused")
    }
    let id = try requestResource(url, name.request, policy, terms)
    try await wait(for: id, name.request)
    guard let found = try store.resource(id), let file = found.file else {
      throw LibraryError(.io, "\(url): evicted at once: cache.count or cache.bytes is too small")
    }
    return CachedResource(path: try path(of: file, found.record), file: file, isFromLibrary: false)
  }

  private func checkRunning() throws {
    if let failure = lifecycle.failure { throw failure }
    guard lifecycle.isStarted, !lifecycle.isStopping else {
      throw LibraryError(.interrupted, "the engine is not running")
    }
  }

  private var callersMustUsePublicAddresses: Bool {
    AddressPolicy(.caller, settings.network.privateAddresses) == .publicOnly
  }

  /// A file that the library holds.
  private enum ExistingResource {
    case usable(CachedResource)
    /// The file must be revalidated.
    case stale
    /// The file is missing or has other content than its row states.
    case changed
  }

  /// Returns the file that the library holds; nil if it has none.
  private func existingResource(_ request: RequestKey, _ policy: CachePolicy) async throws
    -> ExistingResource?
  {
    // The row of a recent answer may not be committed yet.
    if transfers.scheduler.isRecent(request) { await commits.flush() }
    guard let existing = try store.answers(to: [request])[request] else { return nil }
    let path = "\(layout.root)/\(existing.folder)/\(existing.file.name)"
    let isIntact = try await context.files.run { [layout, intact] in
      intact.has(existing.file, at: path, in: layout.folder)
    }
    guard isIntact else { return .changed }
    if policy == .validated {
      let now = ports.wallClock.unixSeconds()
      guard let freshUntil = existing.file.answer?.freshUntil, freshUntil > now else {
        return .stale
      }
    }
    try await untilUnlocked()
    if existing.record == (try catalog.standaloneRecord().id) {
      try store.touch([existing.resource.description], in: .standalone)
    }
    return .usable(CachedResource(path: path, file: existing.file, isFromLibrary: true))
  }

  private func path(of file: StoredFile, _ id: RecordID) throws -> String {
    guard let record = try store.record(id) else {
      throw LibraryError(.noSuchRecord, "there is no record \(id)")
    }
    return layout.original(file, in: record)
  }

  /// Requests the resource for a caller and returns its id; callers of the same request share it.
  private func requestResource(
    _ url: HTTPURL, _ request: RequestKey, _ policy: CachePolicy, _ terms: OptionTerms?
  ) throws -> ResourceID {
    if let id = join(request, policy) { return id }
    let record = try catalog.standaloneRecord()
    let known = try store.answers(to: [request])[request].flatMap { old throws(StoreError) in
      old.record == record.id ? try store.resource(old.resource) : nil
    }
    guard var resource = try known ?? store.resource(insertStandalone(url, record)) else {
      throw LibraryError(.store, "\(url): its row was removed")
    }
    resource.mustReload = policy == .reloaded
    standalone.setOptions(terms, of: resource.id)
    var items = try stages.lookup.schedulerItems([resource], raised: .visible)
    for index in items.indices {
      items[index].subscriber.isOnDemand = true
      // With the policy `.validated`, the resource's own file may be revalidated by a conditional request.
      if let file = resource.file, policy == .validated {
        items[index].existing = Job.ExistingAnswer(
          file: ExistingFile(
            resource: resource.id, record: record.id, folder: record.folder, file: file),
          isFresh: false)
      }
    }
    standalone.beginRequest(request, as: resource.id)
    transfers.send(.wanted(items))
    return resource.id
  }

  /// Joins the request that other callers wait for. A request whose transfer has not begun gets the
  /// strictest policy of its callers.
  private func join(_ request: RequestKey, _ policy: CachePolicy) -> ResourceID? {
    guard let id = standalone.requested(request) else { return nil }
    if policy == .reloaded { transfers.send(.reloadRequired(id, request)) }
    return id
  }

  private func insertStandalone(_ url: HTTPURL, _ record: Record) throws(StoreError) -> ResourceID {
    let range = try store.insertResources(
      [ResourceDraft(url: url.description)], into: record.id, at: .end)
    records.registerLastResource(range.last)
    return range.first
  }

  private func wait(for id: ResourceID, _ request: RequestKey) async throws {
    let number = standalone.newWaiter()
    try await stages.engine.suspend {
      $0.cache.addWaiter(number, id, request, $1)
    } cancel: {
      $0.cache.endWait(number, id, request)
    }
  }

  private func addWaiter(
    _ number: UInt64, _ id: ResourceID, _ request: RequestKey, _ continuation: Waiters.Continuation
  ) {
    if Task.isCancelled {
      continuation.resume(throwing: CancellationError())
    } else if lifecycle.failure != nil || lifecycle.isStopping {
      continuation.resume(throwing: lifecycle.failure ?? LibraryError(.interrupted, ""))
    } else if standalone.requested(request) != id {
      // The resource reached its final state before this caller began to wait.
      continuation.resume()
    } else {
      standalone.addWaiter(number, for: id, continuation)
    }
  }

  /// Ends a caller's wait. Without callers, a request that has not begun is dropped; a running transfer
  /// continues, and its file is kept (RM3).
  private func endWait(_ number: UInt64, _ id: ResourceID, _ request: RequestKey) {
    // A request whose transfer has started is not dropped until its row is committed, even if it has no
    // callers left.
    guard standalone.removeWaiter(number, id), transfers.scheduler.isWaiting(id, for: request)
    else { return }
    transfers.send(.unwanted([id]))
    standalone.dropRequest(of: id)
    commits.requestEviction()
    // A resource with a file stays, because it may be requested again.
    if let resource = try? store.resource(id), resource.file == nil {
      commits.add(.removed(resource))
    }
  }
}
