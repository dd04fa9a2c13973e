import Models
import Persistence

/// The rows of resources whose state changes. The rows are read together, changed in memory, and written back
/// with as few statements as possible.
struct ResourceRowUpdates {
  struct ResourceRowState: Equatable {
    let record: Int64
    /// The state in the column `state` of the resource's row.
    var column: ResourceState
    /// Whether the table `stored` contains the resource; its state is then `stored`, whatever `column`
    /// contains.
    var isStored: Bool
    var reason: String?
    var attempts: Int64
    var pageCount: Int64
    var mustReload: Bool
    var isNamed: Bool
    /// The size of the resource's file in bytes; nil if there is no file, or if the size was not read.
    var bytes: Int64?

    var state: ResourceState {
      get { isStored ? .stored : column }
      set {
        isStored = newValue == .stored
        if !isStored { column = newValue }
      }
    }
  }

  struct Entry {
    let id: Int64
    fileprivate(set) var old: ResourceRowState
    var new: ResourceRowState
    var isRemoved = false
    /// Whether `bytes` of the states was read, so that nil means that there is no file.
    fileprivate let knowsFile: Bool

    init(_ id: Int64, _ state: ResourceRowState, knowsFile: Bool) {
      self.id = id
      self.knowsFile = knowsFile
      old = state
      new = state
    }
  }

  /// The entries of the existing resources, sorted by id. Missing resources have no entry.
  fileprivate(set) var entries: [Entry] = []

  /// Returns the index of the resource's entry, or nil if the resource is missing or removed. Takes O(log n).
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

  subscript(index: Int) -> ResourceRowState {
    get { entries[index].new }
    _modify { yield &entries[index].new }
  }

  mutating func remove(at index: Int) { entries[index].isRemoved = true }

  /// The changes of the records' counters, by the ids of the records.
  var deltas: [Int64: ResourceCounts] {
    var deltas: [Int64: ResourceCounts] = [:]
    var next = 0
    // Consecutive entries usually belong to the same record, so their changes are added up first.
    while next < entries.count {
      let record = entries[next].old.record
      var delta = deltas[record] ?? ResourceCounts()
      while next < entries.count, entries[next].old.record == record {
        entries[next].count(into: &delta)
        next += 1
      }
      deltas[record] = delta
    }
    return deltas.filter { $0.value != ResourceCounts() }
  }
}

extension ResourceRowUpdates {
  /// The largest gap between two ids that one query spans: reading a few rows in vain costs less than another
  /// query.
  private static let largestGap: UInt64 = 8

  /// Reads the rows of resources, unless the connection knows them.
  /// - Parameter owners: The resources whose file size is read, too; `bytes` stays nil for all others.
  init(
    reading ids: [ResourceID], filesOf owners: [ResourceID], from connection: Connection
  ) throws(StoreError) {
    let owners = owners.map(\.rawValue).sorted()
    entries.reserveCapacity(ids.count)
    var unknown: [(id: Int64, isOwner: Bool)] = []
    var owner = 0
    for id in ids.map(\.rawValue).sorted() where id != entries.last?.id && id != unknown.last?.id {
      while owner < owners.count, owners[owner] < id { owner += 1 }
      let isOwner = owner < owners.count && owners[owner] == id
      if let known = connection.recentRows?.state(of: id, needsFile: isOwner) {
        entries.append(Entry(id, known.state, knowsFile: known.knowsFile))
      } else {
        unknown.append((id, isOwner))
      }
    }
    if unknown.isEmpty { return }
    let hasKnown = !entries.isEmpty
    try readRows(of: unknown, from: connection)
    if hasKnown { entries.sort { $0.id < $1.id } }
    try readStored(from: connection)
    try readBytes(of: unknown.filter(\.isOwner).map(\.id), from: connection)
  }

  /// - Parameter wanted: The ids in order, and whether the size of the file will be read.
  private mutating func readRows(
    of wanted: [(id: Int64, isOwner: Bool)], from connection: Connection
  ) throws(StoreError) {
    let ids = wanted.map(\.id)
    let rows = try connection.prepared(
      """
      SELECT id, record, state, reason, attempts, page_count, reload, named FROM resource
      WHERE id BETWEEN ?1 AND ?2 ORDER BY id
      """)
    for span in Self.spans(of: ids, largestGap: Self.largestGap) {
      try rows.bind(ids[span.lowerBound], ids[span.upperBound - 1])
      defer { rows.reset() }
      var next = span.lowerBound
      while try rows.step() {
        var row = Row(rows)
        let id = row.integer()
        while next < span.upperBound, ids[next] < id { next += 1 }
        guard next < span.upperBound, ids[next] == id else { continue }
        let state = ResourceRowState(
          record: row.integer(), column: try row.state(of: id), isStored: false,
          reason: row.optionalText(), attempts: row.integer(), pageCount: row.integer(),
          mustReload: row.integer() != 0, isNamed: row.integer() != 0)
        entries.append(Entry(id, state, knowsFile: wanted[next].isOwner))
      }
    }
  }

  private mutating func readStored(from connection: Connection) throws(StoreError) {
    guard let first = entries.first?.id, let last = entries.last?.id else { return }
    let rows = try connection.prepared(
      "SELECT resource FROM stored WHERE resource BETWEEN ?1 AND ?2")
    try rows.bind(first, last)
    defer { rows.reset() }
    while try rows.step() {
      var row = Row(rows)
      guard let index = index(of: ResourceID(row.integer())) else { continue }
      setLoadedValue(at: index) { $0.isStored = true }
    }
  }

  private mutating func readBytes(
    of ids: [Int64], from connection: Connection
  ) throws(StoreError) {
    let rows = try connection.prepared(
      "SELECT resource, bytes FROM file WHERE resource BETWEEN ?1 AND ?2 ORDER BY resource")
    for span in Self.spans(of: ids, largestGap: Self.largestGap) {
      try rows.bind(ids[span.lowerBound], ids[span.upperBound - 1])
      defer { rows.reset() }
      while try rows.step() {
        var row = Row(rows)
        guard let index = index(of: ResourceID(row.integer())) else { continue }
        let bytes = row.integer()
        setLoadedValue(at: index) { $0.bytes = bytes }
      }
    }
  }

  /// Writes the changed rows, and the counters of their records.
  func write(to connection: Connection) throws(StoreError) {
    try writeRows(to: connection)
    try writeNamed(to: connection)
    try writeStored(to: connection)
    for (record, delta) in deltas { try delta.add(toRecord: record, on: connection) }
    if let rows = connection.recentRows { for entry in entries { entry.keep(in: rows) } }
  }

  /// Writes the changed rows. Consecutive ids with equal new values are written with one statement; `OR FAIL`
  /// saves the statement journal, as in `Insertion`.
  private func writeRows(to connection: Connection) throws(StoreError) {
    let update = try connection.prepared(
      """
      UPDATE OR FAIL resource SET state = ?3, reason = ?4, attempts = ?5, page_count = ?6, reload = ?7
      WHERE id BETWEEN ?1 AND ?2
      """)
    var next = 0
    while next < entries.count {
      let first = next
      next += 1
      guard entries[first].isChanged else { continue }
      let new = entries[first].new
      while next < entries.count, entries[next].id == entries[next - 1].id &+ 1,
        entries[next].isChanged, entries[next].new.isWrittenLike(new)
      {
        next += 1
      }
      try update.run(
        entries[first].id, entries[next - 1].id, new.column.number, new.reason, new.attempts,
        new.pageCount, new.mustReload)
    }
  }

  /// Writes the changed marks, with a statement of their own: hardly any resource has one, and the statement for all
  /// others leaves the index of the marks alone.
  private func writeNamed(to connection: Connection) throws(StoreError) {
    for isNamed in [false, true] {
      let changed = entries.filter {
        !$0.isRemoved && $0.new.isNamed == isNamed && $0.old.isNamed != isNamed
      }.map(\.id)
      for span in Self.spans(of: changed, largestGap: 1) {
        try connection.run(
          "UPDATE resource SET named = ?3 WHERE id BETWEEN ?1 AND ?2", changed[span.lowerBound],
          changed[span.upperBound - 1], isNamed)
      }
    }
  }

  private static let stored = Insertion(into: "stored", of: ["resource"])

  private func writeStored(to connection: Connection) throws(StoreError) {
    var new: [Int64] = []
    var gone: [Int64] = []
    for index in entries.indices where !entries[index].isRemoved {
      switch (entries[index].old.isStored, entries[index].new.isStored) {
      case (false, true): new.append(entries[index].id)
      case (true, false): gone.append(entries[index].id)
      default: break
      }
    }
    try connection.insert(new.count, by: Self.stored) { index, row throws(StoreError) in
      try row.bind(new[index])
    }
    guard !gone.isEmpty else { return }
    // SQLite deletes all rows of a table in one step, but individual rows one by one.
    guard try connection.integer("SELECT count(*) FROM stored") > gone.count else {
      return try connection.run("DELETE FROM stored")
    }
    for span in Self.spans(of: gone, largestGap: 1) {
      try connection.run(
        "DELETE FROM stored WHERE resource BETWEEN ?1 AND ?2", gone[span.lowerBound],
        gone[span.upperBound - 1])
    }
  }

  /// Splits sorted ids at gaps that exceed `largestGap`, and returns the index range of each part.
  private static func spans(of ids: [Int64], largestGap: UInt64) -> [Range<Int>] {
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

extension ResourceCounts {
  /// Adds these differences to the counters in a record's row.
  func add(toRecord record: Int64, on connection: Connection) throws(StoreError) {
    try connection.run(
      """
      UPDATE record SET queued = queued + ?2, stored = stored + ?3, fetched = fetched + ?4,
        finished = finished + ?5, failed = failed + ?6, bytes = bytes + ?7, named = named + ?8
      WHERE id = ?1
      """, record, queued, stored, fetched, finished, failed, bytes, named)
  }
}

extension ResourceRowUpdates {
  /// Adds a value that was read from the database to an entry.
  /// - Parameter setValue: Sets the value; called for both the old and the new state.
  fileprivate mutating func setLoadedValue(
    at index: Int, _ setValue: (inout ResourceRowState) -> Void
  ) {
    setValue(&entries[index].old)
    setValue(&entries[index].new)
  }
}

extension ResourceRowUpdates.Entry {
  fileprivate func count(into delta: inout ResourceCounts) {
    delta[old.state] -= 1
    if !isRemoved { delta[new.state] += 1 }
    delta.named += (!isRemoved && new.isNamed ? 1 : 0) - (old.isNamed ? 1 : 0)
    delta.bytes &+= (isRemoved ? 0 : new.bytes ?? 0) &- (old.bytes ?? 0)
  }

  /// Keeps the row for the next change, which a resource in a final state hardly has.
  fileprivate func keep(in rows: RecentRows) {
    let isSettled = new.state == .finished || new.state == .failed
    guard !isRemoved, !isSettled else { return rows.remove(id) }
    rows.set(new, knowsFile: knowsFile || new.bytes != nil, of: id)
  }

  fileprivate var isChanged: Bool { !isRemoved && !new.isWrittenLike(old) }
}

extension ResourceRowUpdates.ResourceRowState {
  /// Whether the two states agree in all columns that a change can write.
  fileprivate func isWrittenLike(_ other: Self) -> Bool {
    column == other.column && attempts == other.attempts && pageCount == other.pageCount
      && mustReload == other.mustReload && reason == other.reason
  }
}
