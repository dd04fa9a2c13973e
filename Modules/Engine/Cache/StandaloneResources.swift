import LibraryAPI
import Models

/// The standalone cached resources, which callers request one by one and which belong to no listed record.
/// Keeps the pending requests and their callers. Part of the engine's isolation; pure except for the
/// callers that it resumes.
struct StandaloneResources {
  /// The record that holds the rows of these resources; nil until one is requested.
  private(set) var record: RecordID?
  /// The pending resources by request. A request is pending until its row is written.
  private var requested: [RequestKey: ResourceID] = [:]
  private var waiters = Waiters()

  var requestedCount: Int { requested.count }
  var waiterCount: Int { waiters.count }
  /// The pending resources, which must not be evicted.
  var inUse: Set<ResourceID> { Set(requested.values) }

  func contains(_ resource: Resource) -> Bool { resource.record == record }

  mutating func setRecord(_ record: RecordID) { self.record = record }

  func requested(_ request: RequestKey) -> ResourceID? { requested[request] }

  /// Makes the request pending; later callers join it.
  mutating func beginRequest(_ request: RequestKey, as id: ResourceID) { requested[request] = id }

  mutating func dropRequest(_ request: RequestKey) { requested[request] = nil }

  /// Resumes the callers of a resource whose row is written or which has failed.
  /// - Parameter request: The request of the resource; nil if the resource belongs to a listed record.
  mutating func completeRequest(_ id: ResourceID, request: RequestKey?, _ failure: LibraryError?) {
    if let request, requested[request] == id { requested[request] = nil }
    waiters.finish(id, failure.map { .failure($0) } ?? .success(()))
  }

  mutating func newWaiter() -> UInt64 { waiters.newNumber() }

  func isWaited(for id: ResourceID) -> Bool { waiters.isWaited(for: id) }

  mutating func wait(_ number: UInt64, for id: ResourceID, _ continuation: Waiters.Continuation) {
    waiters.add(number, for: id, continuation)
  }

  /// Removes a caller that gives up.
  /// - Returns: Whether the resource has no callers left.
  mutating func removeWaiter(_ number: UInt64, _ id: ResourceID) -> Bool {
    waiters.cancel(number, id) || !waiters.isWaited(for: id)
  }

  /// Fails all callers and forgets all pending requests.
  mutating func failAll(_ error: LibraryError) {
    requested = [:]
    waiters.failAll(error)
  }

  /// Forgets the record, which was removed together with everything else.
  mutating func forgetRecord() { record = nil }
}
