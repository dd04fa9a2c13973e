import Models
import Persistence

/// Checks a whole database: its structure, and the consistency of its tables.
struct IntegrityCheck {
  let connection: Connection

  /// Returns one sentence for each problem found; a check that cannot read the database counts as a problem.
  ///
  /// Each check is a transaction of its own, so that none keeps the log from being truncated for long.
  func problems() -> [String] {
    let checks = [structure, references, counters, stored, pageCounts, keys, visibility, caches]
    var problems: [String] = []
    for check in checks {
      do throws(StoreError) {
        problems += try connection.transaction(.reading, check)
      } catch {
        problems.append(error.detail)
      }
    }
    return problems
  }

  private func structure() throws(StoreError) -> [String] {
    try connection.rows("PRAGMA integrity_check(20)") { row throws(StoreError) in row.text() }
      .filter { $0 != "ok" }
      .map { "the database is damaged: \($0)" }
  }

  private func references() throws(StoreError) -> [String] {
    try connection.rows("PRAGMA foreign_key_check") { row throws(StoreError) in
      let table = row.text()
      let id = row.optionalInteger().map { " \($0)" } ?? ""
      return "\(table)\(id) refers to a \(row.text()) that does not exist"
    }
  }

  private func counters() throws(StoreError) -> [String] {
    let totals = ResourceState.allCases.map { "total(\(Row.state) = \($0.number))" }
      .joined(separator: ", ")
    let recounted = try connection.rows(
      """
      SELECT record, \(totals), coalesce(sum(bytes), 0), sum(named), max(coalesce(number, position)), min(id),
        max(id)
      FROM resource LEFT JOIN file ON file.resource = resource.id GROUP BY record
      """
    ) { row throws(StoreError) in (row.integer(), row.tally()) }
    let tallies = Dictionary(recounted) { first, _ in first }
    return try connection.rows(
      """
      SELECT id, folder, \(Row.countColumns), numbered, first_resource, last_resource FROM record
      WHERE removed = 0
      """
    ) { row throws(StoreError) in
      let id = row.integer()
      let folder = row.text()
      let kept = row.tally()
      guard let real = tallies[id] else {
        return kept.counts == ResourceCounts()
          ? nil : "record \(id) (\(folder)) counts \(kept.text) where there are none"
      }
      return kept.covers(real)
        ? nil : "record \(id) (\(folder)) counts \(kept.text) where there are \(real.text)"
    }.compactMap { $0 }
  }

  /// Checks the resources with state `stored`. Recovery finds them only in the table `stored`, where each
  /// must have a file row; the column `state` must not contain this state.
  private func stored() throws(StoreError) -> [String] {
    try connection.rows(
      """
      SELECT id FROM resource WHERE state = \(ResourceState.stored.number)
      UNION SELECT resource FROM stored WHERE resource NOT IN (SELECT resource FROM file)
      """
    ) { row throws(StoreError) in
      "resource \(row.integer()) is in state stored, but no row names its file"
    }
  }

  private func pageCounts() throws(StoreError) -> [String] {
    try connection.rows(
      """
      SELECT id, page_count, (SELECT count(*) FROM page WHERE page.resource = resource.id) AS real
      FROM resource WHERE page_count <> real
      """
    ) { row throws(StoreError) in
      "resource \(row.integer()) counts \(row.integer()) pages where there are \(row.integer())"
    }
  }

  private func keys() throws(StoreError) -> [String] {
    try connection.rows("SELECT resource, digest, digest_key, request, request_key FROM file") {
      row throws(StoreError) in
      let id = row.integer()
      let digest = (try row.digest()?.key, row.optionalInteger())
      let request = (try row.request()?.key, row.optionalInteger())
      return digest.0 == digest.1 && request.0 == request.1
        ? nil : "the file of resource \(id) is missing in the index by digest or request"
    }.compactMap { $0 }
  }

  private func visibility() throws(StoreError) -> [String] {
    try connection.rows(
      """
      SELECT record.id FROM record LEFT JOIN source ON source.id = record.source
      WHERE (coalesce(complete, 0) AND NOT removed) <> (position IS NOT NULL)
      """
    ) { row throws(StoreError) in
      "record \(row.integer()) is not at the position that its source determines"
    }
  }

  private func caches() throws(StoreError) -> [String] {
    try connection.rows(
      """
      SELECT cache.name, cache.count, cache.bytes, count(used) AS real_count,
        coalesce(sum(cache_entry.bytes), 0) AS real_bytes, coalesce(max(used), 0) AS latest
      FROM cache LEFT JOIN cache_entry ON cache = cache.id GROUP BY cache.id
      HAVING cache.count <> real_count OR cache.bytes <> real_bytes OR last_use < latest
      """
    ) { row throws(StoreError) in
      "the cache of \(row.text()) counts \(row.integer()) entries, \(row.integer()) bytes"
        + " where there are \(row.integer()) with \(row.integer())"
    }
  }
}

/// The counters of a record's resources, either as stored in the record's row or as recounted.
private struct Tally {
  let counts: ResourceCounts
  let numbered: Int64
  let first: Int64
  let last: Int64

  /// Whether this stored tally agrees with a recount. Its ranges of numbers and ids may be wider, since they
  /// still include removed resources.
  func covers(_ real: Tally) -> Bool {
    counts == real.counts && numbered >= real.numbered && first <= real.first && last >= real.last
  }

  var text: String {
    let states = ResourceState.allCases.map { "\(counts[$0]) \($0.rawValue)" }
    return states.joined(separator: ", ")
      + ", \(counts.bytes) bytes, \(counts.named) named, numbers to \(numbered), ids \(first) to \(last)"
  }
}

extension Row {
  fileprivate mutating func tally() -> Tally {
    Tally(counts: counts(), numbered: integer(), first: integer(), last: integer())
  }
}
