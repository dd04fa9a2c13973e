import Hashing
import Manifests
import Models
import Persistence
import ProgressTree
import SystemCalls

extension Engine {
  /// Reads a source and queues what it names. Downloads of it begin when the whole list is in the
  /// store, so a killed `add` either did nothing or is continued by the same command (DL4).
  public func add(_ request: SourceRequest) async throws(EngineError) -> AddResult {
    do {
      let key = try await key(of: request)
      if !request.again, let earlier = try await earlier(key) { return earlier }
      return try await append(request, key: key)
    } catch {
      throw EngineError.wrapping(error)
    }
  }

  /// The canonical URL, the real path, or the content's hash.
  private func key(of request: SourceRequest) async throws -> String {
    switch request.location {
    case .url(let url): url.description
    case .file(let path): "file:" + path
    case .standardInput(let spool):
      try await reading.run {
        "content:" + (try PrefixDigest(of: spool, atMost: nil).hasher.finalize().description)
      }
    }
  }

  /// What is left of an earlier add of the same source, if that decides.
  private func earlier(_ key: String) async throws -> AddResult? {
    guard let source = try await store.source(key: key) else { return nil }
    let records = try await store.records(of: source.id)
    var counts = ResourceCounts()
    for record in records { counts += record.counts }
    let ids = records.map(\.id)
    if counts.settled < counts.total {
      for record in records { track(record) }
      send(.queueChanged)
      return AddResult(outcome: .continued, records: ids, entryCount: counts.total)
    }
    if counts.failed > 0 {
      return AddResult(outcome: .onlyFailuresRemain, records: ids, entryCount: counts.total)
    }
    return nil
  }

  private func append(_ request: SourceRequest, key: String) async throws -> AddResult {
    let source = try await store.beginSource(SourceDraft(key: key, location: request.name))
    let name = request.name
    let target = StoreImport(store: store, source: source, layout: layout) { [weak self] count in
      Task { [weak self] in await self?.loading(name, count) }
    }
    do {
      try await importer().run(request, into: target)
      guard await target.entryCount > 0 else {
        throw EngineError(.source, await nothingUsable(request, target))
      }
      try await store.completeSource(source)
    } catch {
      try? await store.discardSource(source)
      throw error
    }
    return try await announce(target)
  }

  func importer() -> SourceImport {
    SourceImport(
      fetcher: SourceFetcher(
        folder: layout.incoming, settings: settings, transport: ports.transport,
        clock: ports.clock, disk: disk),
      archive: ports.archive, limits: settings.limits, reading: reading)
  }

  private func loading(_ name: String, _ count: Int) {
    events.emit(.sourceLoading(location: name, entries: count))
  }

  private func nothingUsable(_ request: SourceRequest, _ target: StoreImport) async -> String {
    let problems = await target.problems
    let count = await target.problemCount
    guard let first = problems.first else { return "\(request.name): the list is empty" }
    return count == 1
      ? "\(request.name): nothing usable in it: \(first)"
      : "\(request.name): nothing usable in it; \(count) problems, the first: \(first)"
  }

  /// The records are visible now: they are tracked, adopted bytes are committed, the queue is told.
  private func announce(_ target: StoreImport) async throws -> AddResult {
    let ids = await target.records
    for id in ids {
      guard let record = try await store.record(id) else { continue }
      track(record)
      events.emit(.recordAdded(id, title: record.title))
    }
    if let adopted = await target.adopted {
      await arrive(adopted.resource, adopted.file)
      await committer?.flush()
    }
    send(.queueChanged)
    return AddResult(
      outcome: .appended, records: ids, entryCount: await target.entryCount,
      problems: await target.problems, problemCount: await target.problemCount)
  }
}
