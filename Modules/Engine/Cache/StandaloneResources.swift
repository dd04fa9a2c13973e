import LibraryAPI
import Models

/// The standalone cached resources: those that callers ask for one by one, which belong to no record of the
/// list. Knows which of them are requested at the moment and who waits for them. Part of the engine's
/// isolation; pure but for the callers that it resumes.
struct StandaloneResources {
  /// The record that holds their rows; nil until one is requested.
  private(set) var record: RecordID?
  /// By their request; a request is here until its row is written.
  private var requested: [RequestKey: ResourceID] = [:]
  private var waiters = Waiters()

  var requestedCount: Int { requested.count }
  var waiterCount: Int { waiters.count }
  /// Those that must not be evicted.
  var inUse: Set<ResourceID> { Set(requested.values) }

  func contains(_ resource: Resource) -> Bool { resource.record == record }

  mutating func keep(in record: RecordID) { self.record = record }

  func requested(_ request: RequestKey) -> ResourceID? { requested[request] }

  /// From now on other callers wait for this one.
  mutating func begin(_ request: RequestKey, as id: ResourceID) { requested[request] = id }

  mutating func drop(_ request: RequestKey) { requested[request] = nil }

  /// Its row is written, or it will not come: those who wait for it continue.
  /// - Parameter request: nil means the resource belongs to a record of the list.
  mutating func settle(_ id: ResourceID, request: RequestKey?, _ failure: LibraryError?) {
    if let request, requested[request] == id { requested[request] = nil }
    waiters.finish(id, failure.map { .failure($0) } ?? .success(()))
  }

  mutating func newWaiter() -> UInt64 { waiters.newNumber() }

  func isWaited(for id: ResourceID) -> Bool { waiters.isWaited(for: id) }

  mutating func wait(_ number: UInt64, for id: ResourceID, _ continuation: Waiters.Continuation) {
    waiters.add(number, for: id, continuation)
  }

  /// A caller gives up.
  /// - Returns: whether nobody waits for the resource any more.
  mutating func leave(_ number: UInt64, _ id: ResourceID) -> Bool {
    waiters.leave(number, id) || !waiters.isWaited(for: id)
  }

  /// Nothing that was requested will come.
  mutating func failAll(_ error: LibraryError) {
    requested = [:]
    waiters.failAll(error)
  }

  /// Their record is gone with everything else.
  mutating func forgetRecord() { record = nil }
}
