import LibraryAPI
import Models
import Persistence

/// Downloads the resources of lazy records that `retry` and `reload` have queued again, as a user demands. The
/// queue of the store leaves out lazy records (LZ2), so this stage passes the resources to the scheduler, a
/// limited number at a time. The store marks them (`Resource.isNamed`), so that the next engine continues with what is
/// left when this one ends.
final class RequestedStage: Stage {
  /// The resources that the scheduler has not received, in the order of their downloads.
  private var waiting: [RecordID: ArraySlice<ResourceID>] = [:]
  /// The resources that the scheduler has received.
  private var passed: [RecordID: Set<ResourceID>] = [:]

  /// The maximum number of resources that the scheduler has at a time, because it holds each in memory.
  private static let limit = 1_024
  private static let batch = 256

  /// Whether no resource waits that could be passed to the scheduler.
  var isAtRest: Bool { stages.verbs.libraryState.isPaused || nextRecord == nil }

  private var nextRecord: RecordID? { waiting.keys.filter { !isHeld($0) }.min() }

  /// Whether resources of the record must not start.
  private func isHeld(_ id: RecordID) -> Bool {
    records.isRemoved(id) || records[id]?.isPaused == true
      || transfers.scheduler.dropped.contains(id)
  }

  /// Downloads the resources that the store marks as named, except for those that this stage knows already.
  func addNamed(of record: RecordID) throws(StoreError) {
    let known = (passed[record] ?? []).union(waiting[record] ?? [])
    try add(store.namedResources(of: record).filter { !known.contains($0) }, of: record)
  }

  /// Downloads the resources of a lazy record, as far as they are queued.
  func add(_ ids: [ResourceID], of record: RecordID) throws(StoreError) {
    guard !ids.isEmpty else { return }
    waiting[record, default: []] += ids
    try pass()
  }

  /// Passes the resources again that the scheduler has lost with their record or with its last viewer.
  func passAgain(_ ids: [ResourceID]? = nil, of record: RecordID) throws(StoreError) {
    guard let known = passed[record] else { return try pass() }
    let lost = ids.map(known.intersection) ?? known
    passed[record] = known.subtracting(lost)
    waiting[record] = ArraySlice(lost.sorted()) + (waiting[record] ?? [])
    try pass()
  }

  /// Passes all resources again to a new scheduler.
  func passAllAgain() throws(StoreError) {
    for record in Array(passed.keys) { try passAgain(of: record) }
    try pass()
  }

  /// Records that the rows of these resources have been written, after which others have room.
  func removeSettled(_ ids: [ResourceID]) throws(StoreError) {
    guard !passed.isEmpty else { return }
    forgetPassed(ids)
    try pass()
  }

  /// Forgets resources that are not wanted any more, and removes their marks.
  func remove(_ ids: [ResourceID]) throws(StoreError) {
    let named = try store.resources(ids).filter(\.isNamed)
    if !named.isEmpty { try store.apply(named.map { .named($0.id, false) }) }
    forgetPassed(ids)
    let gone = Set(ids)
    for record in Array(waiting.keys) {
      waiting[record]?.removeAll(where: gone.contains)
      if waiting[record]?.isEmpty == true { waiting[record] = nil }
    }
  }

  /// Forgets the resources of a record that is removed.
  func remove(_ record: RecordID) { (waiting[record], passed[record]) = (nil, nil) }

  func removeAll() { (waiting, passed) = ([:], [:]) }

  private func forgetPassed(_ ids: [ResourceID]) {
    for record in Array(passed.keys) {
      passed[record]?.subtract(ids)
      if passed[record]?.isEmpty == true { passed[record] = nil }
    }
  }

  /// Passes resources to the scheduler as long as it has room. Those that are not queued any more are left out.
  private func pass() throws(StoreError) {
    guard lifecycle.isStarted, !lifecycle.isStopping else { return }
    while passed.values.reduce(0, { $0 + $1.count }) <= Self.limit - Self.batch,
      let id = nextRecord
    {
      let part = waiting[id]?.prefix(Self.batch) ?? []
      waiting[id]?.removeFirst(part.count)
      if waiting[id]?.isEmpty != false { waiting[id] = nil }
      let found = try store.resources(Array(part)).filter { $0.state == .queued }
      guard !found.isEmpty else { continue }
      try catalog.loadRecords(of: found)
      guard !isHeld(id) else {
        // The row of the record was not in memory before.
        waiting[id] = part + (waiting[id] ?? [])
        continue
      }
      if !announcer.isTracked(id) { try catalog.track(id) }
      // The lowest precedence leaves the decision to the priority of the record.
      let items = try stages.lookup.schedulerItems(found, raised: .low)
        .filter { !transfers.scheduler.isWaiting($0.subscriber.resource.id, for: $0.request) }
      passed[id, default: []].formUnion(found.map(\.id))
      if !items.isEmpty { transfers.send(.wanted(items)) }
    }
  }
}
