import LibraryAPI
import Models
import ProgressTree
import TestSupport

/// A library in memory that does what it is told, at once, and tells everybody. Verbs can be made to
/// wait at a gate or to fail.
actor MemoryLibrary: LibraryService {
  struct Entry: Equatable {
    var title: String
    var counts = ResourceCounts()
    var isPaused = false
    var priority = RecordPriority.normal
  }

  private(set) var records: [RecordID: Entry] = [:]
  private(set) var requests: [SourceRequest] = []
  private(set) var looks: [ViewerID: [RecordID: Range<Int>]] = [:]
  private(set) var state = LibraryStatus(
    isPaused: false, concurrency: 8, perHost: 4, active: 0, waiting: 0, hosts: [],
    progress: LibraryProgress())
  private(set) var cached: [String: CachedResource] = [:]
  /// The removed records whose files were to stay.
  private(set) var recordsWithKeptFiles: [RecordID] = []
  /// What removals cannot delete.
  private var leftovers = Leftovers()
  private var seq: UInt64
  private var broadcaster = EventBroadcaster()
  private var failure: LibraryError?
  /// Where `add` and `resource` wait.
  nonisolated let gate = Gate()
  /// Calls that wait at the gate, and those that were cancelled there.
  nonisolated let cancelled = Watched(0)
  /// Names of the sources that were added.
  nonisolated let added = Watched<[String]>([])
  /// Viewers that have looked at something and not gone away.
  nonisolated let viewers = Watched(Set<ViewerID>())
  nonisolated let statusCalls = Watched(0)

  /// - Parameter seq: the number of the last event before this.
  init(seq: UInt64 = 0, isOpen: Bool = true) {
    self.seq = seq
    if isOpen { gate.open() }
  }

  /// The next verb fails with this.
  func fail(_ error: LibraryError) { failure = error }

  /// Removals cannot delete this.
  func leave(_ leftovers: Leftovers) { self.leftovers = leftovers }

  func change(_ body: @Sendable (inout LibraryStatus) -> Void) { body(&state) }

  @discardableResult
  func emit(_ kind: LibraryEvent.Kind) -> LibraryEvent {
    seq += 1
    let event = LibraryEvent(seq: seq, kind: kind)
    broadcaster.send(event)
    return event
  }

  func emit(count: Int) { for number in 0..<count { emit(.concurrencyChanged(number)) } }

  func skipNumbers(_ count: UInt64) { seq += count }

  /// As when the engine stops.
  func finish() { broadcaster.finish() }

  @discardableResult
  func insert(_ title: String, queued: Int = 0, failed: Int = 0, finished: Int = 0) -> RecordID {
    let id = RecordID(Int64(records.count + 1))
    var entry = Entry(title: title)
    entry.counts.queued = queued
    entry.counts.failed = failed
    entry.counts.finished = finished
    records[id] = entry
    emit(.recordAdded(id, title: title))
    return id
  }

  private func check() throws(LibraryError) {
    defer { failure = nil }
    if let failure { throw failure }
  }

  private func check(_ id: RecordID) throws(LibraryError) -> Entry {
    try check()
    guard let entry = records[id] else {
      throw LibraryError(.noSuchRecord, "there is no record \(id)")
    }
    return entry
  }

  private func passGate() async throws(LibraryError) {
    do {
      try await gate.pass()
    } catch {
      cancelled.update { $0 += 1 }
      throw LibraryError(.interrupted, "")
    }
  }

  // MARK: LibraryService

  func add(_ request: SourceRequest) async throws(LibraryError) -> AddResult {
    try check()
    try await passGate()
    requests.append(request)
    added.update { $0.append(request.name) }
    let id = insert(request.name, queued: 3)
    return AddResult(
      outcome: request.again ? .appended : .continued,
      fileChange: AddResult.FileChange.allCases[(requests.count - 1) % 3],
      isUnderWay: !request.again, records: [id],
      entryCount: 3,
      problems: ["line 4: \"\u{1b}[31m\" is no URL"], problemCount: 7, began: ResourceID(41))
  }

  func refresh(_ record: RecordID) async throws(LibraryError) -> RefreshResult {
    _ = try check(record)
    emit(.entriesAdded(record, count: 2))
    return RefreshResult(
      isUnchanged: false, newRecords: [RecordID(77)], newEntries: 2, problems: ["a \u{1f600}"])
  }

  func loadMore(_ record: RecordID) async throws(LibraryError) -> Int {
    _ = try check(record)
    records[record]?.counts.queued += 20
    return 20
  }

  func pause(_ record: RecordID?) async throws(LibraryError) -> Int {
    try setPaused(true, record)
  }

  func resume(_ record: RecordID?) async throws(LibraryError) -> Int {
    try setPaused(false, record)
  }

  private func setPaused(_ isPaused: Bool, _ record: RecordID?) throws(LibraryError) -> Int {
    emit(isPaused ? .paused(record) : .resumed(record))
    guard let record else {
      try check()
      state.isPaused = isPaused
      return records.values.reduce(0) { $0 + $1.counts.queued }
    }
    let entry = try check(record)
    records[record]?.isPaused = isPaused
    return entry.counts.queued
  }

  func cancel(_ record: RecordID) async throws(LibraryError) -> Int {
    let entry = try check(record)
    records[record]?.counts.queued = 0
    records[record]?.counts.failed += entry.counts.queued
    emit(.cancelled(record, count: entry.counts.queued))
    return entry.counts.queued
  }

  /// The resources of the last `retry` or `reload` of chosen ones.
  private(set) var chosen: [ResourceID] = []

  func retry(_ resources: [ResourceID], of record: RecordID) async throws(LibraryError) -> Int {
    _ = try check(record)
    chosen = resources
    emit(.retried(record, count: resources.count))
    return resources.count
  }

  func reload(_ resources: [ResourceID], of record: RecordID) async throws(LibraryError) -> Int {
    _ = try check(record)
    chosen = resources
    emit(.reloading(record, count: resources.count))
    return resources.count
  }

  private(set) var requeued: [ResourceID: String] = [:]

  func requeue(
    _ resources: [ResourceID], reason: String
  ) async throws(LibraryError) -> Int {
    try check()
    for id in resources { requeued[id] = reason }
    return resources.count
  }

  func retry(_ record: RecordID?) async throws(LibraryError) -> Int {
    if let record { _ = try check(record) } else { try check() }
    var count = 0
    for id in record.map({ [$0] }) ?? Array(records.keys) {
      let failed = records[id]?.counts.failed ?? 0
      records[id]?.counts.failed = 0
      records[id]?.counts.queued += failed
      count += failed
    }
    emit(.retried(record, count: count))
    return count
  }

  func reload(_ record: RecordID) async throws(LibraryError) -> Int {
    let entry = try check(record)
    emit(.reloading(record, count: entry.counts.total))
    return entry.counts.total
  }

  func remove(
    _ record: RecordID, keepingFiles keepsFiles: Bool
  ) async throws(LibraryError) -> Leftovers {
    _ = try check(record)
    records[record] = nil
    if keepsFiles { recordsWithKeptFiles.append(record) }
    emit(.recordRemoved(record))
    return leftovers
  }

  func reset() async throws(LibraryError) -> Leftovers {
    try check()
    records = [:]
    emit(.wasReset)
    return leftovers
  }

  func setRateLimit(_ bytesPerSecond: Int) async throws(LibraryError) {
    try check()
    state.rateLimit = bytesPerSecond
    emit(.rateLimitChanged(bytesPerSecond))
  }

  func setConcurrency(_ limit: Int) async throws(LibraryError) {
    try check()
    guard (1...1_024).contains(limit) else {
      throw LibraryError(.policy, "\(limit) is not a number of transfers from 1 to 1024")
    }
    state.concurrency = limit
    emit(.concurrencyChanged(limit))
  }

  func setPerHost(_ limit: Int) async throws(LibraryError) {
    try check()
    state.perHost = limit
    emit(.perHostChanged(limit))
  }

  func setPriority(_ priority: RecordPriority, of record: RecordID) async throws(LibraryError) {
    _ = try check(record)
    records[record]?.priority = priority
    emit(.priorityChanged(record, priority))
  }

  func setVisibleRange(_ range: Range<Int>, of record: RecordID, for viewer: ViewerID) async {
    looks[viewer, default: [:]][record] = range
    viewers.update { _ = $0.insert(viewer) }
  }

  func clearVisibleRange(of record: RecordID?, for viewer: ViewerID) async {
    if let record {
      looks[viewer]?[record] = nil
    } else {
      looks[viewer] = nil
      viewers.update { _ = $0.remove(viewer) }
    }
  }

  func put(_ resource: CachedResource, at url: HTTPURL, _ policy: CachePolicy) {
    cached["\(policy) \(url)"] = resource
  }

  private(set) var drawn: [Int] = []

  private(set) var passwords: [DocumentPassword?] = []

  func draw(
    page number: Int, of resource: ResourceID, password: DocumentPassword?
  ) async throws(LibraryError) {
    try await passGate()
    try check()
    drawn.append(number)
    passwords.append(password)
  }

  private(set) var unlocked: [ResourceID: DocumentPassword] = [:]

  func unlock(
    _ resource: ResourceID, with password: DocumentPassword
  ) async throws(LibraryError) {
    try check()
    guard password.text != "wrong" else { throw LibraryError(.encrypted, "") }
    unlocked[resource] = password
  }

  private var remote: [ResourceID: [Page]] = [:]

  /// Makes the pages of an archive known that is not downloaded.
  func put(_ pages: [Page], remotelyOf resource: ResourceID) { remote[resource] = pages }

  func remotePages(of resource: ResourceID) async throws(LibraryError) -> [Page] {
    try check()
    return remote[resource] ?? []
  }

  func remotePage(
    _ number: Int, of resource: ResourceID, withThumbnail needsThumbnail: Bool
  ) async throws(LibraryError) -> Page? {
    try check()
    return remote[resource]?.first { $0.number == number }
  }

  /// The options of the last `setOptions` or `resource`, with the record of the former.
  private(set) var options = RequestOptions()
  private(set) var recordOfOptions: RecordID?

  func setOptions(_ options: RequestOptions, of record: RecordID?) async throws(LibraryError) {
    if let record { _ = try check(record) } else { try check() }
    (self.options, recordOfOptions) = (options, record)
  }

  func resource(
    at url: HTTPURL, _ policy: CachePolicy, _ options: RequestOptions
  ) async throws(LibraryError) -> CachedResource {
    self.options = options
    try check()
    try await passGate()
    guard let resource = cached["\(policy) \(url)"] else {
      throw LibraryError(.network, "\(url): there is no such thing")
    }
    return resource
  }

  /// Makes the engine one that cannot continue.
  func stop(by error: LibraryError) { state.failure = error }

  func status() async throws(LibraryError) -> LibraryStatus {
    statusCalls.update { $0 += 1 }
    try check()
    return state
  }

  func eventStream() async -> AsyncStream<LibraryEvent> {
    broadcaster.subscribe(buffer: 100_000) { number in
      Task { [weak self] in await self?.leave(number) }
    }
  }

  func eventFeed() async -> EventFeed { broadcaster.feed() }

  private func leave(_ number: Int) { broadcaster.remove(number) }
}
