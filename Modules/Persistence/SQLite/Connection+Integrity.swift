import Models
import Persistence

extension Connection {
  /// One sentence for each thing that is wrong; what cannot be read at all is a finding too.
  func integrityProblems() -> [String] {
    let checks = [structure, references, counters, positions, pageCounts, visibility]
    var problems: [String] = []
    for check in checks {
      do throws(StoreError) {
        problems += try check()
      } catch {
        problems.append(error.detail)
      }
    }
    return problems
  }

  private func structure() throws(StoreError) -> [String] {
    try rows("PRAGMA integrity_check(20)") { row throws(StoreError) in row.text() }
      .filter { $0 != "ok" }
      .map { "the database is damaged: \($0)" }
  }

  private func references() throws(StoreError) -> [String] {
    try rows("PRAGMA foreign_key_check") { row throws(StoreError) in
      let table = row.text()
      let id = row.optionalInteger().map { " \($0)" } ?? ""
      return "\(table)\(id) refers to a \(row.text()) that is not there"
    }
  }

  private func counters() throws(StoreError) -> [String] {
    let recounted = try rows(
      """
      SELECT record, total(state = 0), total(state = 1), total(state = 2), total(state = 3),
        total(state = 4), coalesce(sum(bytes), 0), min(id), max(id)
      FROM resource LEFT JOIN file ON file.resource = resource.id GROUP BY record
      """
    ) { row throws(StoreError) in
      (row.integer(), Tally(counts: row.counts(), first: row.integer(), last: row.integer()))
    }
    let tallies = Dictionary(recounted) { first, _ in first }
    return try rows(
      "SELECT id, folder, \(Row.countColumns), first_resource, last_resource FROM record"
    ) { row throws(StoreError) in
      let id = row.integer()
      let folder = row.text()
      let kept = Tally(counts: row.counts(), first: row.integer(), last: row.integer())
      let real = tallies[id] ?? Tally(counts: ResourceCounts(), first: 0, last: 0)
      return kept == real
        ? nil : "record \(id) (\(folder)) counts \(kept.text) where there are \(real.text)"
    }.compactMap { $0 }
  }

  private struct Tally: Equatable {
    let counts: ResourceCounts
    let first: Int64
    let last: Int64

    var text: String {
      let states = ResourceState.allCases.map { "\(counts[$0]) \($0.rawValue)" }
      return states.joined(separator: ", ") + ", \(counts.bytes) bytes, ids \(first) to \(last)"
    }
  }

  private func positions() throws(StoreError) -> [String] {
    try rows(
      """
      SELECT record FROM resource GROUP BY record
      HAVING min(position) <> 1 OR max(position) <> count(*)
      """
    ) { row throws(StoreError) in "record \(row.integer()) has gaps in its order" }
  }

  private func pageCounts() throws(StoreError) -> [String] {
    try rows(
      """
      SELECT id, page_count, (SELECT count(*) FROM page WHERE page.resource = resource.id) AS real
      FROM resource WHERE page_count <> real
      """
    ) { row throws(StoreError) in
      "resource \(row.integer()) counts \(row.integer()) pages where there are \(row.integer())"
    }
  }

  private func visibility() throws(StoreError) -> [String] {
    try rows(
      """
      SELECT record.id FROM record JOIN source ON source.id = record.source
      WHERE complete <> (position IS NOT NULL)
      """
    ) { row throws(StoreError) in "record \(row.integer()) is not where its source says" }
  }
}
