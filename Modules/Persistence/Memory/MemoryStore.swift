import Models
public import Persistence
import Synchronization

/// A library in memory, for tests and for runs that leave no data behind.
///
/// A direct implementation of the protocol's contract, and therefore the reference model that tests compare
/// the other stores with.
public final class MemoryStore: LibraryStore {
  var tables = Tables()
  /// The lock that the owner holds while it changes the tables, for the length of the outermost transaction,
  /// and that readers hold while they read. The owner itself reads without it, since no other code changes
  /// the tables.
  let access = Mutex(MemoryReader.State())
  private var isInTransaction = false
  private var isClosed = false
  /// The number of changes made, including those that were rolled back.
  private var changeCount = 0
  /// The error because of which the open transaction can only be rolled back; nil if there is none.
  private var failureInside: StoreError?

  public init() {}

  public var reader: any LibraryReader { MemoryReader(self) }

  public func catchUp() async {}

  public func close() { exclusively { isClosed = true } }

  func checkOpen() throws(StoreError) {
    if isClosed { throw StoreError(.closed, "the library is closed") }
  }

  /// Runs `body` in a transaction. `durable` has no effect in memory.
  public func transaction<Value>(
    durable: Bool, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try checkOpen()
    if isInTransaction { return try join(body) }
    return try exclusively { () throws(StoreError) in
      let before = tables
      defer { failureInside = nil }
      do throws(StoreError) {
        let value = try body()
        if let failureInside { throw failureInside }
        return value
      } catch {
        tables = before
        throw error
      }
    }
  }

  /// Runs a nested transaction as part of the open one. A failed part cannot be rolled back alone: if it has
  /// changed any row, the open transaction accepts no further change and is rolled back at its end, wherever
  /// the error is caught.
  private func join<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    if let failureInside { throw failureInside }
    let changes = changeCount
    do throws(StoreError) {
      return try body()
    } catch {
      if changeCount != changes { failureInside = failureInside ?? error }
      throw error
    }
  }

  /// Makes one change. Its body checks all preconditions before its first change, so that there is nothing to
  /// roll back if it throws.
  func write<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try checkOpen()
    if let failureInside { throw failureInside }
    return try exclusively { () throws(StoreError) in
      let value = try body()
      changeCount += 1
      return value
    }
  }

  /// Runs `body`, which changes the tables, while it excludes all readers.
  private func exclusively<Value, Failure>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if isInTransaction { return try body() }
    isInTransaction = true
    defer { isInTransaction = false }
    var result: Result<Value, Failure>?
    access.withLock { _ in result = Result { () throws(Failure) in try body() } }
    guard let result else { preconditionFailure("a lock runs what it is given") }
    return try result.get()
  }
}

// The library's settings and the work on pages.
extension MemoryStore {
  public func libraryState() throws(StoreError) -> LibraryState {
    try checkOpen()
    return tables.state
  }

  public func setLibraryState(_ state: LibraryState) throws(StoreError) {
    try write { () throws(StoreError) in tables.state = state }
  }

  public func pageWork() throws(StoreError) -> [PageWork] {
    try checkOpen()
    return tables.workOnPages.values.sorted { $0.resource < $1.resource }
  }

  public func setPageWork(_ work: [PageWork]) throws(StoreError) {
    try write { () throws(StoreError) in
      tables.workOnPages = Dictionary(work.map { ($0.resource, $0) }) { $1 }
    }
  }
}

// Rows and the counters and indexes derived from them.
extension MemoryStore {
  /// The visible records, in list order.
  var list: [Tables.Entry] {
    let visible = tables.entries.values.filter { $0.position != nil }
    return visible.sorted { ($0.position ?? 0) < ($1.position ?? 0) }
  }

  func isVisible(_ resource: Resource?) -> Bool {
    guard let resource else { return false }
    return tables.entries[resource.record]?.isInPlace == true
  }

  /// Changes a resource together with the counters and indexes derived from it. No other code changes a
  /// resource.
  func change(_ id: ResourceID, _ body: (inout Resource) -> Void) {
    guard var resource = tables.resources[id] else { return }
    leave(resource)
    body(&resource)
    enter(resource)
  }

  /// Adds a new or changed resource to the tables, counters and indexes.
  func enter(_ resource: Resource) {
    tables.resources[resource.id] = resource
    count(resource, by: 1)
    guard let file = resource.file else { return }
    tables.holding[file.digest, default: []].insert(resource.id)
    if let answer = file.answer {
      tables.answering[answer.request, default: []].insert(resource.id)
    }
  }

  /// Takes a resource out of the tables, counters and indexes, before its change or removal.
  func leave(_ resource: Resource) {
    tables.resources[resource.id] = nil
    count(resource, by: -1)
    guard let file = resource.file else { return }
    tables.holding[file.digest]?.remove(resource.id)
    if let answer = file.answer { tables.answering[answer.request]?.remove(resource.id) }
  }

  private func count(_ resource: Resource, by step: Int) {
    tables.entries[resource.record]?.record.counts[resource.state] += step
    tables.entries[resource.record]?.record.counts.bytes &+=
      (resource.file?.byteCount ?? 0) &* Int64(step)
  }

  /// Returns one sentence for each record whose counters are wrong.
  func miscounted() throws(StoreError) -> [String] {
    try checkOpen()
    return tables.entries.values.compactMap { entry in
      var counts = ResourceCounts()
      for case let resource? in entry.resources.map({ tables.resources[$0] }) {
        counts[resource.state] += 1
        counts.bytes &+= resource.file?.byteCount ?? 0
      }
      return counts == entry.record.counts ? nil : "record \(entry.record.id) is miscounted"
    }
  }
}
