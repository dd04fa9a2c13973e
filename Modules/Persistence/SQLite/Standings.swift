import Models
import Persistence

/// What changes of their state concern of some resources: read at once, changed here, and written
/// back in as few statements as will do.
struct Standings {
  struct Standing: Equatable {
    let record: Int64
    var state: ResourceState
    var reason: String?
    var attempts: Int64
    var pageCount: Int64
    var mustReload: Bool
    /// Of its file; nil without one, or where nobody asked.
    var bytes: Int64?
  }

  struct Entry {
    let id: Int64
    let old: Standing
    var new: Standing
    var isRemoved = false

    init(_ id: Int64, _ standing: Standing) {
      self.id = id
      old = standing
      new = standing
    }
  }

  /// By id; resources that are not there have none.
  fileprivate(set) var entries: [Entry] = []

  /// O(log count).
  func index(of id: ResourceID) -> Int? {
    let index = firstIndex(from: id.rawValue)
    guard index < entries.count, entries[index].id == id.rawValue, !entries[index].isRemoved
    else { return nil }
    return index
  }

  fileprivate func firstIndex(from id: Int64) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  subscript(index: Int) -> Standing {
    get { entries[index].new }
    _modify { yield &entries[index].new }
  }

  mutating func remove(at index: Int) { entries[index].isRemoved = true }

  /// What the changes do to the counters of records.
  var deltas: [Int64: ResourceCounts] {
    var deltas: [Int64: ResourceCounts] = [:]
    var rest = entries[...]
    // Mostly all of them are of one record, one after the other.
    while let record = rest.first?.old.record {
      var delta = deltas[record] ?? ResourceCounts()
      while let entry = rest.first, entry.old.record == record {
        entry.count(into: &delta)
        rest.removeFirst()
      }
      deltas[record] = delta
    }
    return deltas.filter { $0.value != ResourceCounts() }
  }
}

extension Connection {
  /// Rows that are read for nothing cost less than a query more, if they are not many.
  private static let largestGap: UInt64 = 8

  /// - Parameter owners: whose file is concerned, too; `bytes` stays nil for all others.
  func standings(
    of ids: [ResourceID], filesOf owners: [ResourceID]
  ) throws(StoreError) -> Standings {
    var standings = Standings()
    let ids = ids.map(\.rawValue).sorted()
    standings.entries.reserveCapacity(ids.count)
    let rows = try prepared(
      """
      SELECT id, record, state, reason, attempts, page_count, reload FROM resource
      WHERE id BETWEEN ?1 AND ?2 ORDER BY id
      """)
    for span in Self.spans(of: ids) {
      try rows.bind(ids[span.lowerBound], ids[span.upperBound - 1])
      defer { rows.reset() }
      var next = span.lowerBound
      while try rows.step() {
        var row = Row(rows)
        let id = row.integer()
        while next < span.upperBound, ids[next] < id { next += 1 }
        guard next < span.upperBound, ids[next] == id else { continue }
        let standing = Standings.Standing(
          record: row.integer(), state: try row.state(of: id), reason: row.optionalText(),
          attempts: row.integer(), pageCount: row.integer(), mustReload: row.integer() != 0)
        standings.entries.append(Standings.Entry(id, standing))
      }
    }
    try readBytes(of: owners.map(\.rawValue).sorted(), into: &standings)
    return standings
  }

  private func readBytes(
    of ids: [Int64], into standings: inout Standings
  ) throws(StoreError) {
    let rows = try prepared(
      "SELECT resource, bytes FROM file WHERE resource BETWEEN ?1 AND ?2 ORDER BY resource")
    for span in Self.spans(of: ids) {
      try rows.bind(ids[span.lowerBound], ids[span.upperBound - 1])
      defer { rows.reset() }
      while try rows.step() {
        var row = Row(rows)
        guard let index = standings.index(of: ResourceID(row.integer())) else { continue }
        standings.know(bytes: row.integer(), at: index)
      }
    }
  }

  /// Neighbours that become the same are written at once. An error undoes the transaction, so SQLite
  /// need not keep what would undo the statement (`OR FAIL`): that is a copy of each page.
  func write(_ standings: Standings) throws(StoreError) {
    let update = try prepared(
      """
      UPDATE OR FAIL resource SET state = ?3, reason = ?4, attempts = ?5, page_count = ?6, reload = ?7
      WHERE id BETWEEN ?1 AND ?2
      """)
    var rest = standings.entries[...]
    while let first = rest.popFirst() {
      guard first.isChanged else { continue }
      let new = first.new
      var last = first.id
      while let next = rest.first, next.id == last &+ 1, next.isChanged,
        next.new.isWrittenLike(new)
      {
        last = next.id
        rest.removeFirst()
      }
      try update.run(
        first.id, last, new.state.number, new.reason, new.attempts, new.pageCount, new.mustReload)
    }
    for (record, delta) in standings.deltas { try count(delta, of: record) }
  }

  /// Runs of sorted ids without a large gap, as indices.
  private static func spans(of ids: [Int64]) -> [Range<Int>] {
    var spans: [Range<Int>] = []
    var first = 0
    for index in ids.indices {
      guard
        index + 1 == ids.count
          || UInt64(bitPattern: ids[index + 1] &- ids[index]) > largestGap
      else { continue }
      spans.append(first..<index + 1)
      first = index + 1
    }
    return spans
  }
}

extension Standings {
  fileprivate mutating func know(bytes: Int64, at index: Int) {
    let entry = entries[index]
    var standing = entry.old
    standing.bytes = bytes
    entries[index] = Entry(entry.id, standing)
  }
}

extension Standings.Entry {
  fileprivate func count(into delta: inout ResourceCounts) {
    delta[old.state] -= 1
    if !isRemoved { delta[new.state] += 1 }
    delta.bytes &+= (isRemoved ? 0 : new.bytes ?? 0) &- (old.bytes ?? 0)
  }

  fileprivate var isChanged: Bool { !isRemoved && !new.isWrittenLike(old) }
}

extension Standings.Standing {
  /// Whether their rows have the same in the columns that changes write.
  fileprivate func isWrittenLike(_ other: Self) -> Bool {
    state == other.state && attempts == other.attempts && pageCount == other.pageCount
      && mustReload == other.mustReload && reason == other.reason
  }
}
