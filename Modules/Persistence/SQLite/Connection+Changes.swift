import Models
import Persistence

extension Connection {
  /// Applies changes in order and moves the counters of the records by what really changed.
  func apply(_ changes: [ResourceChange]) throws(StoreError) {
    var deltas: [Int64: ResourceCounts] = [:]
    for change in changes {
      switch change {
      case .attempted(let id):
        try run("UPDATE resource SET attempts = attempts + 1 WHERE id = ?1", id.rawValue)
      case .partial(let request, let partial): try put(partial, of: request)
      case .partialGone(let request): try forgetPartial(of: request)
      case .stored(let id, let file):
        try move(id, to: .stored, counting: &deltas) { new throws(StoreError) in
          try put(file, of: id)
          new.bytes = file.byteCount
          try replacePages(of: id, with: [], in: &new)
          new.reason = nil
          new.mustReload = false
        }
      case .fetched(let id):
        try move(id, to: .fetched, counting: &deltas) { _ throws(StoreError) in }
      case .finished(let id, let pages, let reason):
        try move(id, to: .finished, counting: &deltas) { new throws(StoreError) in
          try replacePages(of: id, with: pages, in: &new)
          new.reason = reason
        }
      case .failed(let id, let reason, let pages):
        try move(id, to: .failed, counting: &deltas) { new throws(StoreError) in
          try replacePages(of: id, with: pages, in: &new)
          new.reason = reason
        }
      case .requeued(let id, let reason):
        try move(id, to: .queued, counting: &deltas) { new throws(StoreError) in
          try run("DELETE FROM file WHERE resource = ?1", id.rawValue)
          new.bytes = 0
          try replacePages(of: id, with: [], in: &new)
          new.reason = reason
          new.attempts = 0
          new.mustReload = false
        }
      case .confirmed(let id, let answer): try confirm(answer, of: id)
      case .removed(let id): try remove(id, counting: &deltas)
      }
    }
    for (record, delta) in deltas { try count(delta, of: record) }
  }

  /// The part of a resource that changes of its state concern.
  private struct Standing {
    let record: Int64
    let state: ResourceState
    var reason: String?
    var attempts: Int64
    var pageCount: Int64
    var mustReload: Bool
    var bytes: Int64
  }

  private func standing(of id: ResourceID) throws(StoreError) -> Standing? {
    try first(
      """
      SELECT record, state, reason, attempts, page_count, reload,
        (SELECT bytes FROM file WHERE file.resource = resource.id)
      FROM resource WHERE id = ?1
      """, id.rawValue
    ) { row throws(StoreError) in
      let record = row.integer()
      return Standing(
        record: record, state: try row.state(of: id.rawValue), reason: row.optionalText(),
        attempts: row.integer(), pageCount: row.integer(), mustReload: row.integer() != 0,
        bytes: row.integer())
    }
  }

  /// Changes one resource, if it is there, and notes what that does to the counters of its record.
  private func move(
    _ id: ResourceID, to state: ResourceState, counting deltas: inout [Int64: ResourceCounts],
    _ change: (inout Standing) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let old = try standing(of: id) else { return }
    var new = old
    try change(&new)
    try run(
      """
      UPDATE resource SET state = ?2, reason = ?3, attempts = ?4, page_count = ?5, reload = ?6
      WHERE id = ?1
      """, id.rawValue, state.number, new.reason, new.attempts, new.pageCount, new.mustReload)
    var delta = deltas[old.record] ?? ResourceCounts()
    delta[old.state] -= 1
    delta[state] += 1
    delta.bytes &+= new.bytes &- old.bytes
    deltas[old.record] = delta
  }

  private func remove(
    _ id: ResourceID, counting deltas: inout [Int64: ResourceCounts]
  ) throws(StoreError) {
    guard let old = try standing(of: id) else { return }
    // Its file's row and its pages go with it: they refer to it.
    try run("DELETE FROM resource WHERE id = ?1", id.rawValue)
    var delta = deltas[old.record] ?? ResourceCounts()
    delta[old.state] -= 1
    delta.bytes &-= old.bytes
    deltas[old.record] = delta
  }

  func count(_ delta: ResourceCounts, of record: Int64) throws(StoreError) {
    try run(
      """
      UPDATE record SET queued = queued + ?2, stored = stored + ?3, fetched = fetched + ?4,
        finished = finished + ?5, failed = failed + ?6, bytes = bytes + ?7
      WHERE id = ?1
      """, record, delta.queued, delta.stored, delta.fetched, delta.finished, delta.failed,
      delta.bytes)
  }

  private func replacePages(
    of id: ResourceID, with pages: [Page], in standing: inout Standing
  ) throws(StoreError) {
    if standing.pageCount > 0 { try run("DELETE FROM page WHERE resource = ?1", id.rawValue) }
    for page in pages {
      try run(
        "INSERT OR REPLACE INTO page VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        id.rawValue, page.number, page.width, page.height, page.label, page.file, page.thumbnail,
        page.reason)
    }
    standing.pageCount = Int64(Set(pages.lazy.map(\.number)).count)
  }
}
