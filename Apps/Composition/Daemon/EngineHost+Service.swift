import Engine
import LibraryAPI
import Manifests
import Models

/// Forwards each call to the engine that runs at the time of the call.
extension EngineHost: LibraryService {
  func add(_ request: SourceRequest) async throws(LibraryError) -> AddResult {
    try await engine().add(request)
  }

  func refresh(_ record: RecordID) async throws(LibraryError) -> RefreshResult {
    try await engine().refresh(record)
  }

  func loadMore(_ record: RecordID) async throws(LibraryError) -> Int {
    try await engine().loadMore(record)
  }

  func pause(_ record: RecordID?) async throws(LibraryError) -> Int {
    try await engine().pause(record)
  }

  func resume(_ record: RecordID?) async throws(LibraryError) -> Int {
    try await engine().resume(record)
  }

  func cancel(_ record: RecordID) async throws(LibraryError) -> Int {
    try await engine().cancel(record)
  }

  func retry(_ record: RecordID?) async throws(LibraryError) -> Int {
    try await engine().retry(record)
  }

  func reload(_ record: RecordID) async throws(LibraryError) -> Int {
    try await engine().reload(record)
  }

  func retry(_ resources: [ResourceID], of record: RecordID) async throws(LibraryError) -> Int {
    try await engine().retry(resources, of: record)
  }

  func reload(_ resources: [ResourceID], of record: RecordID) async throws(LibraryError) -> Int {
    try await engine().reload(resources, of: record)
  }

  func requeue(_ resources: [ResourceID], reason: String) async throws(LibraryError) -> Int {
    try await engine().requeue(resources, reason: reason)
  }

  func remove(
    _ record: RecordID, keepingFiles keepsFiles: Bool
  ) async throws(LibraryError) -> Leftovers {
    try await engine().remove(record, keepingFiles: keepsFiles)
  }

  func reset() async throws(LibraryError) -> Leftovers { try await engine().reset() }

  func setConcurrency(_ limit: Int) async throws(LibraryError) {
    try await engine().setConcurrency(limit)
  }

  func setPerHost(_ limit: Int) async throws(LibraryError) {
    try await engine().setPerHost(limit)
  }

  func setRateLimit(_ bytesPerSecond: Int) async throws(LibraryError) {
    try await engine().setRateLimit(bytesPerSecond)
  }

  func setPriority(_ priority: RecordPriority, of record: RecordID) async throws(LibraryError) {
    try await engine().setPriority(priority, of: record)
  }

  func draw(
    page number: Int, of resource: ResourceID, password: DocumentPassword?
  ) async throws(LibraryError) {
    try await engine().draw(page: number, of: resource, password: password)
  }

  func unlock(
    _ resource: ResourceID, with password: DocumentPassword
  ) async throws(LibraryError) {
    try await engine().unlock(resource, with: password)
  }

  func remotePages(of resource: ResourceID) async throws(LibraryError) -> [Page] {
    try await engine().remotePages(of: resource)
  }

  func remotePage(
    _ number: Int, of resource: ResourceID, withThumbnail needsThumbnail: Bool
  ) async throws(LibraryError) -> Page? {
    try await engine().remotePage(number, of: resource, withThumbnail: needsThumbnail)
  }

  /// Ignores the error of an engine that could not start: the viewer calls again when its visible range
  /// changes.
  func setVisibleRange(_ range: Range<Int>, of record: RecordID, for viewer: ViewerID) async {
    try? await engine().setVisibleRange(range, of: record, for: viewer)
  }

  func clearVisibleRange(of record: RecordID?, for viewer: ViewerID) async {
    try? await engine().clearVisibleRange(of: record, for: viewer)
  }

  func setOptions(_ options: RequestOptions, of record: RecordID?) async throws(LibraryError) {
    try await engine().setOptions(options, of: record)
  }

  func resource(
    at url: HTTPURL, _ policy: CachePolicy, _ options: RequestOptions
  ) async throws(LibraryError) -> CachedResource {
    try await engine().resource(at: url, policy, options)
  }

  func status() async throws(LibraryError) -> LibraryStatus {
    var status = try await engine().status()
    // A new engine that has work has not shown yet that it can do what the last one could not.
    if status.failure == nil, !status.isIdle { status.failure = lastFailure }
    return status
  }
}

/// Forwards single downloads to the engine that runs at the time of the call. The client of an engine that was
/// replaced starts its transfers again.
extension EngineHost: SingleDownloads {
  func addResources(
    _ drafts: [SingleDownload], toRecord title: String
  ) async throws(LibraryError) -> (ids: [ResourceID], record: Record) {
    try await engine().addResources(drafts, toRecord: title)
  }

  func files(
    ofMetalink document: [UInt8]
  ) async throws(LibraryError) -> (entries: [ManifestEntry], problems: [String]) {
    try await engine().files(ofMetalink: document)
  }

  func startTransfers(_ limits: [ResourceID: Int]) async throws(LibraryError) {
    try await engine().startTransfers(limits)
  }

  func setConnections(_ counts: [ResourceID: Int?]) async throws(LibraryError) {
    try await engine().setConnections(counts)
  }

  func stopTransfers(
    of resources: [ResourceID], discardingFiles discardsFiles: Bool
  ) async throws(LibraryError) {
    try await engine().stopTransfers(of: resources, discardingFiles: discardsFiles)
  }

  func setRateLimit(bytesPerSecond: Int) async throws(LibraryError) {
    try await engine().setRateLimit(bytesPerSecond: bytesPerSecond)
  }
}
