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
      case .partial(let id, let partial): try put(partial, of: id)
      case .partialGone(let id): try forgetPartial(of: id)
      case .stored(let id, let file):
        try move(id, to: .stored, counting: &deltas) { old throws(StoreError) in
          try forgetPartial(of: id)
          try put(file, of: id)
          old.bytes = file.byteCount
          try replacePages(of: id, with: [], in: &old)
          old.reason = nil
        }
      case .fetched(let id):
        try move(id, to: .fetched, counting: &deltas) { _ throws(StoreError) in }
      case .finished(let id, let pages, let reason):
        try move(id, to: .finished, counting: &deltas) { old throws(StoreError) in
          try replacePages(of: id, with: pages, in: &old)
          old.reason = reason
        }
      case .failed(let id, let reason, let pages):
        try move(id, to: .failed, counting: &deltas) { old throws(StoreError) in
          try replacePages(of: id, with: pages, in: &old)
          old.reason = reason
        }
      case .requeued(let id):
        try move(id, to: .queued, counting: &deltas) { old throws(StoreError) in
          try run("DELETE FROM file WHERE resource = ?1", id.rawValue)
          old.bytes = 0
          try replacePages(of: id, with: [], in: &old)
          old.reason = nil
          old.attempts = 0
        }
      }
    }
    for (record, delta) in deltas { try count(delta, of: record) }
  }

  /// failed → queued.
  func requeueFailed(of record: RecordID?) throws(StoreError) -> Int {
    let records: [Int64] =
      if let record {
        [record.rawValue]
      } else {
        try rows("SELECT id FROM record WHERE failed > 0") { row throws(StoreError) in
          row.integer()
        }
      }
    var total = 0
    for record in records {
      try run(
        """
        UPDATE resource SET state = ?2, reason = NULL, attempts = 0
        WHERE record = ?1 AND state = ?3
        """, record, ResourceState.queued.number, ResourceState.failed.number)
      var delta = ResourceCounts()
      delta.queued = changeCount
      delta.failed = -changeCount
      total += changeCount
      try count(delta, of: record)
    }
    return total
  }

  /// The part of a resource that changes of its state concern.
  private struct Standing {
    let record: Int64
    let state: ResourceState
    var reason: String?
    var attempts: Int64
    var pageCount: Int64
    var bytes: Int64
  }

  private func standing(of id: ResourceID) throws(StoreError) -> Standing? {
    try first(
      """
      SELECT record, state, reason, attempts, page_count,
        (SELECT bytes FROM file WHERE file.resource = resource.id)
      FROM resource WHERE id = ?1
      """, id.rawValue
    ) { row throws(StoreError) in
      let record = row.integer()
      return Standing(
        record: record, state: try row.state(of: id.rawValue), reason: row.optionalText(),
        attempts: row.integer(), pageCount: row.integer(), bytes: row.integer())
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
      UPDATE resource SET state = ?2, reason = ?3, attempts = ?4, page_count = ?5 WHERE id = ?1
      """, id.rawValue, state.number, new.reason, new.attempts, new.pageCount)
    var delta = deltas[old.record] ?? ResourceCounts()
    delta[old.state] -= 1
    delta[state] += 1
    delta.bytes &+= new.bytes &- old.bytes
    deltas[old.record] = delta
  }

  private func count(_ delta: ResourceCounts, of record: Int64) throws(StoreError) {
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

  private func put(_ file: StoredFile, of id: ResourceID) throws(StoreError) {
    let times = file.timings
    try run(
      """
      INSERT OR REPLACE INTO file VALUES
        (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
      """, id.rawValue, file.name, file.byteCount, file.digest, file.format.rawValue,
      file.validator.entityTag?.fieldValue, file.validator.lastModified, file.mediaType,
      times.queue, times.dns, times.connect, times.tls, times.request, times.firstByte,
      times.lastByte)
  }

  /// Nothing for a resource that is gone.
  private func put(_ partial: PartialDownload, of id: ResourceID) throws(StoreError) {
    try run(
      """
      INSERT OR REPLACE INTO partial
      SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE EXISTS (SELECT 1 FROM resource WHERE id = ?1)
      """, id.rawValue, partial.validator.entityTag?.fieldValue, partial.validator.lastModified,
      partial.totalBytes, partial.bootID, partial.syncedBytes)
  }

  private func forgetPartial(of id: ResourceID) throws(StoreError) {
    try run("DELETE FROM partial WHERE resource = ?1", id.rawValue)
  }
}
