import LibraryAPI
import Models

/// The standalone resources, which callers request by URL and which no listed record owns. Keeps the
/// pending requests and their callers. Part of the engine's isolation; pure, except that it resumes
/// callers.
final class StandaloneResources {
  /// The record that owns the rows of all standalone resources; nil until the first one is requested.
  private(set) var record: RecordID?
  /// The pending resources by request. A request is pending until its row is written.
  private var requested: [RequestKey: ResourceID] = [:]
  /// The requests of the pending resources; the inverse of `requested`.
  private var requests: [ResourceID: RequestKey] = [:]
  /// The options with which pending resources are requested.
  private var options: [ResourceID: OptionTerms] = [:]
  private var waiters = Waiters()

  var requestedCount: Int { requested.count }
  var waiterCount: Int { waiters.count }
  /// The pending resources, which must not be evicted.
  var inUse: Set<ResourceID> { Set(requests.keys) }

  func contains(_ resource: Resource) -> Bool { resource.record == record }

  func setRecord(_ record: RecordID) { self.record = record }

  func requested(_ request: RequestKey) -> ResourceID? { requested[request] }

  /// Marks the request as pending, so that later callers of the same request wait for the same resource.
  func beginRequest(_ request: RequestKey, as id: ResourceID) {
    requested[request] = id
    requests[id] = request
  }

  /// Keeps the options of a resource that is about to be requested, until its request has ended.
  func setOptions(_ new: OptionTerms?, of id: ResourceID) { options[id] = new }

  func options(of id: ResourceID) -> OptionTerms? { options[id] }

  func options(of request: RequestKey) -> OptionTerms? {
    requested[request].flatMap { options[$0] }
  }

  func dropRequest(of id: ResourceID) {
    options[id] = nil
    if let request = requests.removeValue(forKey: id) { requested[request] = nil }
  }

  /// Resumes the callers of a resource whose row is written or which has failed.
  func completeRequest(of id: ResourceID, _ failure: LibraryError?) {
    dropRequest(of: id)
    waiters.resume(id, with: failure.map { .failure($0) } ?? .success(()))
  }

  func newWaiter() -> UInt64 { waiters.newNumber() }

  func isWaited(for id: ResourceID) -> Bool { waiters.isWaited(for: id) }

  func addWaiter(_ number: UInt64, for id: ResourceID, _ continuation: Waiters.Continuation) {
    waiters.add(number, for: id, continuation)
  }

  /// Removes a caller that was cancelled.
  /// - Returns: Whether the resource has no callers left.
  func removeWaiter(_ number: UInt64, _ id: ResourceID) -> Bool {
    waiters.cancel(number, id) || !waiters.isWaited(for: id)
  }

  /// Fails all callers and forgets all pending requests.
  func failAll(_ error: LibraryError) {
    requested = [:]
    requests = [:]
    options = [:]
    waiters.failAll(error)
  }

  /// Forgets the record of standalone resources, because a reset has deleted it.
  func forgetRecord() { record = nil }
}
