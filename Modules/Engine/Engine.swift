public import Archive
public import LibraryAPI
public import Models
public import Persistence
public import ProgressTree
public import Rendering
public import SystemCalls
import Threading
public import Transport

/// Runs one library: downloads queued resources, commits them to disk and turns them into pages.
///
/// The actor makes every decision in a single turn: it reads the store, writes to it and changes its own
/// state without a suspension in between. It therefore runs on a thread of its own, the only one that uses
/// the store. Response bodies go from the transport's thread to the disk, and all other blocking calls run
/// on queues of their own. A library has at most one engine at a time.
public actor Engine {
  /// The ports of an engine; each accepts any adapter.
  public struct Ports: Sendable {
    public var transport: any Transport
    /// The reader without limits: the engine wraps it in the safety policy, with the limits of each record.
    public var archive: any ArchiveReader
    public var renderer: any Renderer
    public var progress: any ProgressTracking
    public var clock: any MonotonicClock
    public var wallClock: any WallClock
    public var random: any RandomSource
    /// The largest number of transfers for which this process has file descriptors; caps every requested
    /// limit.
    public var transferCeiling = 1_024
    /// The call that waits until written files are on the disk.
    var sync = LibrarySync.syncFileSystem

    public init(
      transport: any Transport, archive: any ArchiveReader, renderer: any Renderer,
      progress: any ProgressTracking, clock: any MonotonicClock = SystemClock(),
      wallClock: any WallClock = SystemClock(), random: any RandomSource = SystemRandomSource()
    ) {
      self.transport = transport
      self.archive = archive
      self.renderer = renderer
      self.progress = progress
      self.clock = clock
      self.wallClock = wallClock
      self.random = random
    }
  }

  /// Runs all turns of the engine. The store may block it for as long as a transaction takes.
  nonisolated let executor = BlockingExecutor("library")
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  public nonisolated let layout: LibraryLayout
  /// Read-only access to the library, for callers outside the engine.
  public nonisolated let reader: any LibraryReader
  public nonisolated let settings: Settings
  let ports: Ports
  let downloadContext: Download.Context
  let committer: Committer
  let sync: LibrarySync
  let disk = BlockingQueue("disk")
  let files = BlockingQueue("files")
  let reading = BlockingQueue("sources")
  let unzipping = BlockingQueue("unzip")
  let renditions = BlockingQueue("renditions")
  private let lock: LibraryLock
  /// The store, or nil once the engine is closed.
  private var openStore: (any LibraryStore)?
  var announcer: Announcer
  var scheduler: Scheduler
  var records = KnownRecords()
  var sourceTransfers = SourceTransfers()
  var standalone = StandaloneResources()
  /// The user's changes to the library itself, as the store holds them, except for limits that the settings
  /// override.
  private(set) var libraryState = LibraryState()
  var verbs = RecordVerbs()
  var transfers = Transfers()
  let ends = CompletionQueue()
  var partialFiles = PartialFiles()
  var visible: VisibleResources
  /// Fires when a viewport has been still long enough to count.
  var resting = Alarm()
  let written = RenditionLog()
  let memory: MemoryCache
  var pageStage: PageStage
  var commits = CommitQueue()
  var pacing = CommitPacing()
  /// Commits batches and runs evictions, one after the other.
  var committing = Worker()
  /// Loads more of the queue for the scheduler.
  private var loading = Worker()
  /// Fires at the time at which the scheduler wants its next tick.
  var timer = Alarm()
  private(set) var isStarted = false
  private var isStarting = false
  private(set) var isStopping = false
  private var isStopped = false
  /// Whether `stop` was called.
  private(set) var isEnding = false
  /// Whether no work was left when the engine was stopped.
  private var wasIdle = false
  private(set) var failure: LibraryError?

  /// Opens the library: acquires its lock and recovers from the end of an earlier process. Nothing is
  /// downloaded before `start`.
  /// - Parameters:
  ///   - root: The library's folder; created if it is missing.
  ///   - bootID: The identifier of the machine's current boot, which decides how far partial files are
  ///     trusted.
  ///   - overriding: The names of settings that take precedence over changes made in an earlier run.
  ///   - socket: The path at which clients reach this engine; written into the lock file.
  public static func open(
    root: String, settings: Settings, ports: Ports, opening: any StoreOpening,
    bootID: String? = Machine.bootID, overriding: Set<String> = [],
    socket: String? = nil
  ) async throws(LibraryError) -> Engine {
    let open = { () async throws(LibraryError) in
      try await openOnce(
        root: root, settings: settings, ports: ports, opening: opening, bootID: bootID,
        overriding: overriding, socket: socket)
    }
    do {
      return try await open()
    } catch {
      // A full disk must not keep the library from opening, or the user could remove nothing from it.
      let reserve = DiskReserve(LibraryLayout(root: FileSystem.canonicalPath(root)))
      guard error.code == .diskFull, reserve.release() else { throw error }
    }
    return try await open()
  }

  private static func openOnce(
    root: String, settings: Settings, ports: Ports, opening: any StoreOpening, bootID: String?,
    overriding: Set<String>, socket: String?
  ) async throws(LibraryError) -> Engine {
    do {
      let (layout, lock) = try await BlockingQueue("opening").run {
        let layout = LibraryLayout(root: FileSystem.canonicalPath(root))
        try layout.prepareFolders()
        return (layout, try LibraryLock(layout, socket: socket))
      }
      let engine = Engine(
        layout: layout, store: try await opening.open(folder: layout.internals),
        settings: settings, ports: ports, lock: lock, bootID: bootID ?? "")
      do {
        try await engine.restore(overriding)
        try await engine.recover()
      } catch {
        await engine.closeStore()
        throw error
      }
      return engine
    } catch {
      let layout = LibraryLayout(root: FileSystem.canonicalPath(root))
      throw LibraryError.readOnlyLibrary(layout, error) ?? LibraryError.wrapping(error)
    }
  }

  private init(
    layout: LibraryLayout, store: sending any LibraryStore, settings: Settings, ports: Ports,
    lock: LibraryLock, bootID: String
  ) {
    self.layout = layout
    reader = store.reader
    openStore = store
    self.settings = settings
    self.ports = ports
    announcer = Announcer(ports.progress)
    self.lock = lock
    downloadContext = Download.Context(
      layout: layout, settings: settings, transport: ports.transport, files: files,
      bootID: bootID, wallClock: ports.wallClock, random: ports.random)
    sync = LibrarySync(layout, settings.durability, call: ports.sync)
    committer = Committer(layout: layout, disk: disk, sync: sync)
    scheduler = Scheduler(
      limit: settings.network.maxConcurrentDownloads, hostLimit: settings.network.maxPerHost)
    pageStage = Self.makePageStage(settings)
    visible = VisibleResources(rest: settings.lazy.rest, prefetch: settings.lazy.prefetch)
    memory = MemoryCache(
      countLimit: settings.cache.memoryCount, byteLimit: settings.cache.memoryBytes)
  }

  /// The store, for the engine's own reads and writes.
  var store: any LibraryStore {
    get throws(StoreError) {
      guard let openStore else { throw StoreError(.closed, "the library is closed") }
      return openStore
    }
  }

  private func closeStore() async {
    await reader.close()
    openStore?.close()
    openStore = nil
  }

  /// Restores the changes that users made to the library during earlier runs.
  private func restore(_ overriding: Set<String>) throws {
    libraryState = try store.libraryState()
    records.registerLastResource(try store.lastResource())
    if overriding.contains("network.maxConcurrentDownloads") { libraryState.concurrency = nil }
    if overriding.contains("network.maxPerHost") { libraryState.perHost = nil }
    scheduler = makeScheduler()
  }

  /// Writes the state of the library to the store and, if that succeeds, updates the copy in memory.
  func persist(_ state: LibraryState) throws(StoreError) {
    try store.setLibraryState(state)
    libraryState = state
  }

  /// Resets the state of the library in memory, after the store has reset its own.
  func resetState() { libraryState = LibraryState() }

  /// - Parameter dropped: The records that verbs have taken out of the scheduler.
  private func makeScheduler(without dropped: Set<RecordID> = []) -> Scheduler {
    Scheduler(
      limit: min(
        libraryState.concurrency ?? settings.network.maxConcurrentDownloads, ports.transferCeiling),
      hostLimit: libraryState.perHost ?? settings.network.maxPerHost, network: settings.network,
      isPaused: libraryState.isPaused || !isStarted, dropped: dropped)
  }

  static func makePageStage(
    _ settings: Settings, _ journal: PageWorkJournal = PageWorkJournal()
  ) -> PageStage {
    PageStage(width: PageStage.width(settings), journal: journal)
  }

  /// Begins all unfinished work of the library.
  /// - Parameter takesQueue: Whether to begin with the queue in the store; if false, only resources
  ///   requested from now on are downloaded, and the queue waits until it next changes.
  public func start(takesQueue: Bool = true) async throws(LibraryError) {
    guard !isStarted, !isStarting else { return }
    isStarting = true
    defer { isStarting = false }
    do {
      try trackUnsettledRecords()
    } catch {
      throw LibraryError.wrapping(error)
    }
    isStarted = true
    do {
      try await disk.run { [layout] in try DiskReserve(layout).restore() }
    } catch {
      return fail(LibraryError.wrapping(error))
    }
    // Until now a change of the pause was only recorded.
    if !libraryState.isPaused { send(.paused(false)) }
    if takesQueue {
      pageStage.requestStoreLookup()
      queueChanged()
    } else {
      for record in visible.records { refreshVisibleRanges(of: record) }
    }
    finishRemovals()
    // The cache limits may differ from those of an earlier run.
    evictIfNeeded()
    pumpPages()
  }

  /// Returns when no work is left; before `start`, all of it is left.
  /// - Throws: The error that stopped the engine, if it could not continue (disk full, store broken), or
  ///   `.interrupted` if the engine was stopped or the calling task was cancelled.
  public func waitUntilIdle() async throws(LibraryError) {
    while failure == nil, !isStopped, !isIdle, !Task.isCancelled {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          // Checked again here: the last work may have ended since the check above.
          if Task.isCancelled || isIdle || isStopped || failure != nil {
            continuation.resume()
          } else {
            announcer.wait(continuation)
          }
        }
      } onCancel: {
        Task { await self.wakeIdleWaiters() }
      }
    }
    if let failure { throw failure }
    if !isIdle, !wasIdle { throw LibraryError(.interrupted, "") }
  }

  /// Ends every transfer, keeps all state, closes the store and releases the lock. The engine cannot be
  /// used afterwards.
  public func stop() async {
    guard !isStopped, !isEnding else { return }
    isEnding = true
    wasIdle = isIdle || wasIdle
    await endSources()
    await quiesce()
    // A failure is ignored, since the engine ends anyway: without the journal the next engine only knows
    // less.
    try? store.setPageWork(pageStage.journalAtRest)
    await ports.transport.shutdown()
    await ports.renderer.shutdown()
    await closeStore()
    // Restores the reserve, which a full disk may have used up; if that fails, the next engine tries again.
    try? await disk.run { [layout] in try DiskReserve(layout).restore() }
    isStopped = true
    standalone.failAll(LibraryError(.interrupted, ""))
    announcer.finish()
    lock.release()
    wakeIdleWaiters()
  }

  /// Makes `waitUntilIdle` return soon, with `.interrupted`. The caller then ends the engine with `stop`.
  public func interrupt() { fail(LibraryError(.interrupted, "")) }

  /// Cancels all running work and waits until every result of it is on disk.
  func quiesce() async {
    cancelEverything()
    while let (request, number) = transfers.first { await waitForEnd(of: request, number) }
    while let work = pageStage.tasks.first?.value { await work.task.value }
    await loading.task?.value
    await flushCommits()
    while let task = committing.task { await task.value }
  }

  /// Resumes work after `quiesce`, on the queue that the store holds now.
  func resumeWork() {
    guard failure == nil, !isEnding else { return }
    isStopping = false
    // The new scheduler does not know the transfers that these callers wait for.
    standalone.failAll(Self.wasReset)
    // The verb that dropped a record also puts it back.
    scheduler = makeScheduler(without: scheduler.dropped)
    pageStage = Self.makePageStage(settings)
    pageStage.requestStoreLookup()
    queueChanged()
    pumpPages()
  }

  private func cancelEverything() {
    isStopping = true
    timer.cancel()
    resting.cancel()
    send(.stopped)
    transfers.cancelAll()
    for work in pageStage.tasks.values { work.task.cancel() }
  }

  /// Returns a stream of all events from now on. A slow reader loses the oldest events; gaps in `seq` show
  /// the loss.
  public func eventStream() -> AsyncStream<LibraryEvent> {
    announcer.subscribe { [weak self] number in
      Task { [weak self] in await self?.unsubscribe(number) }
    }
  }

  public func eventFeed() -> EventFeed { announcer.feed() }

  private func unsubscribe(_ number: Int) { announcer.unsubscribe(number) }

  /// Returns the progress of all records, for a display.
  public nonisolated func snapshot() -> LibraryProgress { ports.progress.snapshot() }

  var isIdle: Bool {
    isStarted && !isStopping && verbs.isAtRest && commits.count == 0 && committing.task == nil
      && pageStage.isIdle && transfers.isEmpty
      && (scheduler.isIdle || libraryState.isPaused) && !verbs.holdsBack(!scheduler.isIdle)
  }

  /// Loads more of the queue for the scheduler, in a turn of its own, because `send` calls this in the
  /// middle of its work.
  func startLoad(_ load: Scheduler.Load) {
    loading.start(Task { performLoad(load) })
  }

  func notifyIfIdle() {
    if announcer.isAwaited, isIdle || failure != nil { wakeIdleWaiters() }
  }

  private func wakeIdleWaiters() { announcer.wakeWaiters() }

  /// Stops the engine after an error that it cannot recover from. Finished resources stay finished.
  func fail(_ error: LibraryError) {
    guard failure == nil, !isStopped else { return }
    failure = error
    announcer.emit(.stopped(error))
    cancelEverything()
    wakeIdleWaiters()
    standalone.failAll(error)
  }
}
