public import LibraryAPI
public import Models
import Persistence
import SystemCalls
import Threading

/// Bad files are fetched again.
extension Engine {
  @discardableResult
  public func requeue(
    _ resources: [ResourceID], reason: String
  ) async throws(LibraryError) -> Int {
    do {
      try await untilUnlocked()
      let loose = try loose()
      // Nobody else's file becomes a name of a bad one.
      try store.apply(resources.map { .answering($0, nil) }, durable: false)
      for id in resources { send(.lost([], gone: id)) }
      let bad = try inPlace(resources)
      let listed = bad.filter { $0.record != loose.id }
      try store.apply(listed.map { .requeued($0.id, reason: reason) }, durable: false)
      // The scheduler takes back only what is announced: until then it calls it on its way.
      await flushCommits()
      for record in Set(listed.map(\.record)).sorted() { try recount(record) }
      try await forget(bad.filter { $0.record == loose.id }, of: loose)
      for record in Set(listed.map(\.record)).sorted() {
        announcer.emit(.retried(record, count: listed.count { $0.record == record }))
      }
      queueChanged()
      return listed.count
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  /// Those whose files nobody is at work on at this moment.
  private func inPlace(_ ids: [ResourceID]) throws(StoreError) -> [Resource] {
    var found: [Resource] = []
    for id in ids {
      guard let resource = try store.resource(id), resource.file != nil else { continue }
      // What is on its way into place is not bad any more; what pages are being made of is judged
      // by the page maker.
      if resource.state == .stored || (resource.state == .fetched && isStarted) { continue }
      found.append(resource)
    }
    return found
  }

  /// What no record owns is fetched when somebody requests it.
  private func forget(_ resources: [Resource], of loose: Record) async throws {
    guard !resources.isEmpty else { return }
    let paths = resources.compactMap { $0.file.map { layout.original($0, in: loose) } }
    try await disk.run { [layout] in
      for path in paths { try? layout.folder.removeIfThere(path) }
    }
    try store.apply(resources.map { .removed($0.id) }, durable: false)
    try store.forget(resources.map(\.id.description), in: .loose)
  }
}
