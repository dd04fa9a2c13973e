import Models
public import Persistence
import Synchronization

/// A library in memory: for tests, and for runs that leave nothing behind.
///
/// The plain reading of the port's contract, and with it the model that the other adapters are
/// compared with.
public final class MemoryStore: LibraryStore {
  var tables = Tables()
  /// Held by the owner while it changes the tables, for the length of the outermost transaction, and by
  /// readers. The owner reads without it, since it alone changes them.
  let access = Mutex(MemoryReader.State())
  private var isInTransaction = false
  private var isClosed = false
  /// Changes that were made, undone ones among them.
  private var changeCount = 0
  /// Why the transaction that is open can only be undone.
  private var failureInside: StoreError?

  public init() {}

  public var reader: any LibraryReader { MemoryReader(self) }

  public func catchUp() async {}

  public func close() { exclusively { isClosed = true } }

  func checkOpen() throws(StoreError) {
    if isClosed { throw StoreError(.closed, "the library is closed") }
  }

  /// Memory is as durable as it gets: `durable` changes nothing.
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

  /// A part that failed cannot be undone alone: if it has changed anything, the transaction takes nothing
  /// more and is undone at its end, wherever the error is caught.
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

  /// Makes one change, which looks at everything before it changes anything: where it throws, there is
  /// nothing to undo.
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

  /// Runs what changes the tables while nobody else reads them.
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

// What a user changed, and the work on pages.
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

// Rows and what is kept beside them.
extension MemoryStore {
  /// Visible records in list order.
  var list: [Tables.Entry] {
    let visible = tables.entries.values.filter { $0.position != nil }
    return visible.sorted { ($0.position ?? 0) < ($1.position ?? 0) }
  }

  func isVisible(_ resource: Resource?) -> Bool {
    guard let resource else { return false }
    return tables.entries[resource.record]?.isInPlace == true
  }

  /// The only way in which a resource changes: what is kept beside it goes along.
  func change(_ id: ResourceID, _ body: (inout Resource) -> Void) {
    guard var resource = tables.resources[id] else { return }
    leave(resource)
    body(&resource)
    enter(resource)
  }

  /// A new or changed resource.
  func enter(_ resource: Resource) {
    tables.resources[resource.id] = resource
    count(resource, by: 1)
    guard let file = resource.file else { return }
    tables.holding[file.digest, default: []].insert(resource.id)
    if let answer = file.answer {
      tables.answering[answer.request, default: []].insert(resource.id)
    }
  }

  /// A resource that is to change or goes.
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

  /// One sentence for each record whose counters are wrong.
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
