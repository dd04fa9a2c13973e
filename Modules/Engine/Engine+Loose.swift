import Hashing
public import LibraryAPI
public import Models
import Persistence
import SystemCalls
import Threading
import Transport

/// Single resources for callers: one request however many ask, through the cache (RM1-RM4).
extension Engine {
  public func resource(
    at url: HTTPURL, _ policy: CachePolicy = .cached
  ) async throws(LibraryError) -> CachedResource {
    do {
      return try await cached(url, policy)
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  /// The bytes of a resource, through the cache in memory.
  public func data(
    at url: HTTPURL, _ policy: CachePolicy = .cached
  ) async throws(LibraryError) -> [UInt8] {
    let found = try await resource(at: url, policy)
    do {
      return try await bytes(of: found)
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  private func bytes(of found: CachedResource) async throws -> [UInt8] {
    let key = found.file.digest.description
    if let bytes = memory.value(for: key) { return bytes }
    let limit = Int(clamping: found.file.byteCount)
    let (bytes, digest) = try await files.run { [layout] in
      let bytes = try layout.folder.contents(of: found.path, limit: limit)
      return (bytes, SHA256Hasher.hash(of: bytes))
    }
    // It may have been replaced in the meantime.
    if digest == found.file.digest { memory.insert(bytes, for: key) }
    return bytes
  }

  private func cached(_ url: HTTPURL, _ policy: CachePolicy) async throws -> CachedResource {
    let name = name(url.description, HTTPFields(), isPublic: strictForCallers)
    if policy != .reloaded, looseInWork[name.request] == nil,
      let found = try await held(name.request, policy)
    {
      return found
    }
    try checkAtWork()
    guard !libraryState.isPaused else {
      throw LibraryError(.policy, "the library is paused")
    }
    let id = try await ask(url, name.request, policy)
    try await wait(for: id, name.request)
    guard let found = try await store.resource(id), let file = found.file else {
      throw LibraryError(.io, "\(url): evicted at once: cache.count or cache.bytes is too small")
    }
    return CachedResource(path: try await path(of: file, found.record), file: file, wasHeld: false)
  }

  private func checkAtWork() throws {
    if let failure { throw failure }
    guard isStarted, !isStopping else {
      throw LibraryError(.interrupted, "the engine is not at work")
    }
  }

  private var strictForCallers: Bool {
    AddressPolicy(.caller, settings.network.privateAddresses) == .publicOnly
  }

  /// What the library has, if it will do and is there.
  private func held(_ request: RequestKey, _ policy: CachePolicy) async throws -> CachedResource? {
    // Its row may be on its way.
    if scheduler.isRecent(request) { await flushCommits() }
    guard let held = try await store.answers(to: [request])[request] else { return nil }
    if policy == .validated {
      let now = ports.wallClock.unixSeconds()
      guard let freshUntil = held.file.answer?.freshUntil, freshUntil > now else { return nil }
    }
    let path = "\(layout.root)/\(held.folder)/\(held.file.name)"
    let status = try await files.run { [layout] in try? layout.folder.status(path) }
    guard let status, status.kind == .file, status.size == held.file.byteCount else { return nil }
    if held.record == (try await loose().id) {
      try await store.touch([held.resource.description], in: .loose)
    }
    return CachedResource(path: path, file: held.file, wasHeld: true)
  }

  private func path(of file: StoredFile, _ id: RecordID) async throws -> String {
    guard let record = try await store.record(id) else {
      throw LibraryError(.noSuchRecord, "there is no record \(id)")
    }
    return layout.original(file, in: record)
  }

  /// The record of what no record owns.
  func loose() async throws -> Record {
    if let known = looseRecord.flatMap({ records[$0] }) { return known }
    let record = try await store.looseRecord(folder: LibraryLayout.looseFolder)
    looseRecord = record.id
    records[record.id] = record
    return record
  }

  /// The one resource that gets the answer, wanted from now on.
  private func ask(
    _ url: HTTPURL, _ request: RequestKey, _ policy: CachePolicy
  ) async throws -> ResourceID {
    if let id = join(request, policy) { return id }
    let (evictions, resets) = (evictions, resets)
    let record = try await loose()
    var resource: Resource?
    if let old = try await store.answers(to: [request])[request], old.record == record.id {
      resource = try await store.resource(old.resource)
    }
    // Others may have come as far in the meantime.
    if let id = join(request, policy) { return id }
    if let found = resource, evictions == self.evictions, resets == self.resets,
      !looseLeaving.contains(found.id)
    {
      looseInWork[request] = found.id
    } else {
      let id = try await insertLoose(url, record)
      let other = join(request, policy)
      if other != nil || resets != self.resets {
        // Another caller was faster, or all is gone.
        try await store.apply([.removed(id)], durable: false)
        guard let other else { throw Self.wasReset }
        return other
      }
      looseInWork[request] = id
      resource = try await store.resource(id)
    }
    guard var resource else {
      if resets == self.resets { looseInWork[request] = nil }
      throw LibraryError(.store, "\(url): its row is gone")
    }
    resource.mustReload = policy == .reloaded
    var items: [Scheduler.Item]
    do {
      items = try await self.items([resource], raised: .visible)
    } catch {
      if resets == self.resets { looseInWork[request] = nil }
      throw error
    }
    guard resets == self.resets else { throw Self.wasReset }
    for index in items.indices {
      items[index].subscriber.isOnDemand = true
      // Its own file may be confirmed.
      if let file = resource.file, policy == .validated {
        items[index].held = Job.Held(
          file: HeldFile(
            resource: resource.id, record: record.id, folder: record.folder, file: file),
          isFresh: false)
      }
    }
    send(.wanted(items))
    return resource.id
  }

  /// What other callers wait for. One that has not begun asks as the strictest of them wants.
  private func join(_ request: RequestKey, _ policy: CachePolicy) -> ResourceID? {
    guard let id = looseInWork[request] else { return nil }
    if policy == .reloaded { send(.hardened(id, request)) }
    return id
  }

  private func insertLoose(_ url: HTTPURL, _ record: Record) async throws -> ResourceID {
    let range = try await store.insertResources(
      [ResourceDraft(url: url.description)], into: record.id, at: .end)
    lastResource = max(lastResource, range.last)
    return range.first
  }

  private func wait(for id: ResourceID, _ request: RequestKey) async throws {
    let number = waiters.newNumber()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: Waiters.Continuation) in
        if Task.isCancelled {
          continuation.resume(throwing: CancellationError())
        } else if failure != nil || isStopping {
          continuation.resume(throwing: failure ?? LibraryError(.interrupted, ""))
        } else if looseInWork[request] != id {
          // It was settled before this caller came to wait.
          continuation.resume()
        } else {
          waiters.add(number, for: id, continuation)
        }
      }
    } onCancel: {
      Task { await self.leave(number, id, request) }
    }
  }

  /// With nobody left, what has not begun is dropped; a transfer that has goes on, and its file is
  /// kept (RM3).
  private func leave(_ number: UInt64, _ id: ResourceID, _ request: RequestKey) {
    // Once its transfer has begun, and until its row is written, nothing is dropped.
    guard waiters.leave(number, id) || !waiters.isWaited(for: id),
      scheduler.isWaiting(id, for: request)
    else { return }
    send(.unwanted([id]))
    looseInWork[request] = nil
    isEvictionDue = true
    Task { await self.dropLoose(id) }
  }

  private func dropLoose(_ id: ResourceID) async {
    // One that has a file may be wanted again.
    guard let resource = try? await store.resource(id), resource.file == nil,
      !waiters.isWaited(for: id)
    else { return }
    commit(.removed(resource))
  }

  /// A resource is settled, and its row is written.
  func wakeWaiters(for resource: Resource, _ failure: LibraryError?) {
    if resource.record == looseRecord {
      let request = name(resource.url, resource.fields, isPublic: strictForCallers).request
      if looseInWork[request] == resource.id { looseInWork[request] = nil }
    }
    waiters.finish(resource.id, failure.map { .failure($0) } ?? .success(()))
  }
}
