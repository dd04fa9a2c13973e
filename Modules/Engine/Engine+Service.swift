public import LibraryAPI
public import Models
public import ProgressTree
public import SystemCalls

/// The verbs of a library, each performed by its stage.
extension Engine: LocalEngine {
  /// Runs a verb and converts its error.
  private func perform<Value>(
    _ verb: (Stages) async throws -> Value
  ) async throws(LibraryError) -> Value {
    do {
      return try await verb(stages)
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  // MARK: - Life

  /// Begins all unfinished work of the library.
  /// - Parameter takesQueue: Whether to begin with the queue in the store; if false, only resources
  ///   requested from now on are downloaded, and the queue waits until it next changes.
  public func start(takesQueue: Bool = true) async throws(LibraryError) {
    try await perform { try await $0.lifecycle.start(takesQueue: takesQueue) }
  }

  /// Returns when no work is left; before `start`, the engine is never idle.
  /// - Throws: The error that stopped the engine, if it could not continue (disk full, store broken), or
  ///   `.interrupted` if the engine was stopped or the calling task was cancelled.
  public func waitUntilIdle() async throws(LibraryError) {
    try await perform { try await $0.lifecycle.waitUntilIdle() }
  }

  /// Ends every transfer, keeps all state, closes the store and releases the lock. The engine cannot be
  /// used afterwards.
  public func stop() async { await stages.lifecycle.stop() }

  /// Returns a descriptor that holds the library's lock also after `stop`, for a program that takes the place of this
  /// one in its process; nil if there is none, so that the lock is free for a moment then.
  public func heldLock() async -> OwnedDescriptor? { try? stages.context.heldLock() }

  /// Restores the library's lock file if the user has deleted it, and writes into it at which socket clients reach this
  /// engine. To be called every few seconds. The engine fails if another process has taken the library meanwhile.
  public func renewLock(socket: String?) async throws(LibraryError) {
    do {
      try await stages.context.renewLock(socket: socket)
    } catch {
      let error = LibraryError.wrapping(error)
      // Any other error, such as a full disk, will show itself where the engine needs the file system.
      guard error.code == .locked else { return }
      stages.lifecycle.fail(error)
      throw error
    }
  }

  /// Makes `waitUntilIdle` return soon, with `.interrupted`. The caller then ends the engine with `stop`.
  public func interrupt() { stages.lifecycle.fail(LibraryError(.interrupted, "")) }

  // MARK: - Sources

  public func add(_ request: SourceRequest) async throws(LibraryError) -> AddResult {
    try await perform { try await $0.sources.add(request) }
  }

  public func refresh(_ id: RecordID) async throws(LibraryError) -> RefreshResult {
    try await perform { try await $0.refreshes.refresh(id) }
  }

  public func loadMore(_ id: RecordID) async throws(LibraryError) -> Int {
    try await perform { try await $0.refreshes.loadMore(id) }
  }

  // MARK: - Records

  @discardableResult
  public func pause(_ record: RecordID?) async throws(LibraryError) -> Int {
    try await perform { try await $0.verbs.pause(record) }
  }

  @discardableResult
  public func resume(_ record: RecordID?) async throws(LibraryError) -> Int {
    try await perform { try await $0.verbs.resume(record) }
  }

  @discardableResult
  public func cancel(_ id: RecordID) async throws(LibraryError) -> Int {
    try await perform { try await $0.verbs.cancel(id) }
  }

  @discardableResult
  public func reload(_ id: RecordID) async throws(LibraryError) -> Int {
    try await perform { try await $0.verbs.reload(id) }
  }

  /// Queues the failed resources of one record, or of all records, and returns their number. A resource
  /// that failed because engines ended while they processed its file is processed again without a request.
  @discardableResult
  public func retry(_ record: RecordID? = nil) async throws(LibraryError) -> Int {
    try await perform { try await $0.verbs.retry(record) }
  }

  @discardableResult
  public func retry(
    _ resources: [ResourceID], of record: RecordID
  ) async throws(LibraryError) -> Int {
    try await perform { try await $0.resourceVerbs.retry(resources, of: record) }
  }

  @discardableResult
  public func reload(
    _ resources: [ResourceID], of record: RecordID
  ) async throws(LibraryError) -> Int {
    try await perform { try await $0.resourceVerbs.reload(resources, of: record) }
  }

  @discardableResult
  public func requeue(
    _ resources: [ResourceID], reason: String
  ) async throws(LibraryError) -> Int {
    try await perform { try await $0.requeues.requeue(resources, reason: reason) }
  }

  /// Ends the work on the record and deletes it with its files. Foreign files in its folder stay.
  @discardableResult
  public func remove(
    _ id: RecordID, keepingFiles keepsFiles: Bool
  ) async throws(LibraryError) -> Leftovers {
    try await perform { try await $0.removals.remove(id, keepingFiles: keepsFiles) }
  }

  /// Ends all work and deletes everything that belongs to the library (DL5). Settings and foreign files
  /// stay.
  @discardableResult
  public func reset() async throws(LibraryError) -> Leftovers {
    try await perform { try await $0.removals.reset() }
  }

  public func setPriority(
    _ priority: RecordPriority, of id: RecordID
  ) async throws(LibraryError) {
    try await perform { try await $0.verbs.setPriority(priority, of: id) }
  }

  public func setConcurrency(_ limit: Int) async throws(LibraryError) {
    try await perform { try await $0.verbs.setConcurrency(limit) }
  }

  public func setPerHost(_ limit: Int) async throws(LibraryError) {
    try await perform { try await $0.verbs.setPerHost(limit) }
  }

  public func setRateLimit(_ bytesPerSecond: Int) async throws(LibraryError) {
    try await perform { try await $0.verbs.setRateLimit(bytesPerSecond) }
  }

  // MARK: - Viewers and callers

  public func setVisibleRange(_ range: Range<Int>, of record: RecordID, for viewer: ViewerID) {
    stages.viewports.setVisibleRange(range, of: record, for: viewer)
  }

  public func clearVisibleRange(of record: RecordID?, for viewer: ViewerID) {
    stages.viewports.clearVisibleRange(of: record, for: viewer)
  }

  public func setOptions(
    _ options: RequestOptions, of record: RecordID?
  ) async throws(LibraryError) {
    try await perform { try await $0.requestOptions.set(options, of: record) }
  }

  public func resource(
    at url: HTTPURL, _ policy: CachePolicy, _ options: RequestOptions
  ) async throws(LibraryError) -> CachedResource {
    try await perform { try await $0.cache.resource(at: url, policy, options) }
  }

  public func resource(
    at url: HTTPURL, _ policy: CachePolicy = .cached
  ) async throws(LibraryError) -> CachedResource {
    try await resource(at: url, policy, RequestOptions())
  }

  /// Returns the bytes of a resource, through the cache in memory.
  public func data(
    at url: HTTPURL, _ policy: CachePolicy = .cached
  ) async throws(LibraryError) -> [UInt8] {
    try await perform { try await $0.cache.data(at: url, policy) }
  }

  /// Renders the page image and the thumbnail of one page of a document, unless they exist. The pages of
  /// other formats get their images after the download.
  /// - Parameters:
  ///   - number: The number of the page, from 1.
  ///   - password: The password of an encrypted document.
  /// - Throws: `.source` if the page does not exist or cannot be drawn; `.encrypted` if a password is
  ///   needed or the given one is wrong.
  public func draw(
    page number: Int, of id: ResourceID, password: DocumentPassword?
  ) async throws(LibraryError) {
    try await perform { try await $0.drawings.draw(page: number, of: id, password: password) }
  }

  /// Renders an encrypted document or archive as if its download had just ended: all images of an archive,
  /// the first page of a document.
  /// - Throws: `.encrypted` for a wrong password, which only the reason of the resource then states; `.source` if the
  ///   resource is not a document or archive, or is damaged.
  public func unlock(
    _ id: ResourceID, with password: DocumentPassword
  ) async throws(LibraryError) {
    try await perform { try await $0.drawings.unlock(id, with: password) }
  }

  public func remotePages(of resource: ResourceID) async throws(LibraryError) -> [Page] {
    try await perform { try await $0.remotePages.pages(of: resource) }
  }

  public func remotePage(
    _ number: Int, of resource: ResourceID, withThumbnail needsThumbnail: Bool
  ) async throws(LibraryError) -> Page? {
    try await perform {
      try await $0.remotePages.page(number, of: resource, withThumbnail: needsThumbnail)
    }
  }

  // MARK: - Status and events

  public func status() -> LibraryStatus { stages.lifecycle.status() }

  /// Returns the progress of all records, for a progress display.
  public nonisolated func snapshot() -> LibraryProgress { progress.snapshot() }

  /// Returns a stream of all events from now on. A slow reader loses the oldest events; gaps in `seq` show
  /// the loss.
  public func eventStream() -> AsyncStream<LibraryEvent> {
    stages.context.announcer.subscribe { [weak self] number in
      Task { [weak self] in await self?.run { $0.context.announcer.unsubscribe(number) } }
    }
  }

  public func eventFeed() -> EventFeed { stages.context.announcer.feed() }
}
