public import Archive
public import LibraryAPI
public import Models
public import Persistence
public import ProgressTree
public import Rendering
public import SystemCalls
import Threading
public import Transport

/// Runs one library: fetches what is queued, makes it durable, turns it into pages.
///
/// The actor makes every decision, and makes it in one turn: what it reads of the store, what it writes
/// there and what it changes in memory happen without a suspension in between. So it runs on a thread of
/// its own, the one that has the store. Bytes go from the transport's thread to the disk, and all other
/// blocking calls run on queues of their own. One engine a library at a time.
public actor Engine {
  /// What the engine works with; any adapter of each port.
  public struct Ports: Sendable {
    public var transport: any Transport
    /// Raw: the engine puts the safety policy around it, with the limits of each record.
    public var archive: any ArchiveReader
    public var renderer: any Renderer
    public var progress: any ProgressTracking
    public var clock: any MonotonicClock
    public var wallClock: any WallClock
    public var random: any RandomSource
    /// The most transfers that this process has file descriptors for, whatever is requested.
    public var transferCeiling = 1_024
    /// How the disk is waited for.
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
  /// For everybody who only reads.
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
  /// nil once it is closed.
  private var openStore: (any LibraryStore)?
  var announcer: Announcer
  var scheduler: Scheduler
  var records = KnownRecords()
  var sourceTransfers = SourceTransfers()
  var standalone = StandaloneResources()
  /// What users changed of the library itself: as the store has it, unless settings insist on other limits.
  private(set) var libraryState = LibraryState()
  var verbs = RecordVerbs()
  var transfers = Transfers()
  let ends = CompletionQueue()
  var partialFiles = PartialFiles()
  var visible: VisibleResources
  /// Goes off when a view has rested.
  var resting = Alarm()
  let written = RenditionLog()
  let memory: MemoryCache
  var pageStage: PageStage
  var commits = CommitQueue()
  var pacing = CommitPacing()
  /// Commits batches and evicts, one after the other.
  var committing = Worker()
  /// Reads more of the queue for the scheduler.
  private var loading = Worker()
  /// Goes off when the scheduler wants to be told the time.
  var timer = Alarm()
  private(set) var isStarted = false
  private var isStarting = false
  private(set) var isStopping = false
  private var isStopped = false
  /// `stop` was called.
  private(set) var isEnding = false
  /// Nothing was left to do when it was stopped.
  private var wasIdle = false
  private(set) var failure: LibraryError?

  /// Takes the lock, recovers what an earlier process left behind, and is ready; nothing is
  /// downloaded before `start`.
  /// - Parameters:
  ///   - root: the library's folder; made if it is missing.
  ///   - bootID: which boot of the machine this is; decides how far partial files are trusted.
  ///   - insisting: names of settings that count more than what was changed in an earlier run.
  ///   - socket: where others can talk to this engine, for the lock to tell.
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

  /// What the engine alone has: the tables.
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

  /// What was changed while an earlier engine ran.
  private func restore(_ overriding: Set<String>) throws {
    libraryState = try store.libraryState()
    records.noteGiven(try store.lastResource())
    if overriding.contains("network.maxConcurrentDownloads") { libraryState.concurrency = nil }
    if overriding.contains("network.maxPerHost") { libraryState.perHost = nil }
    scheduler = makeScheduler()
  }

  /// Writes the state of the library, and changes it in memory if that succeeded.
  func keep(_ state: LibraryState) throws(StoreError) {
    try store.setLibraryState(state)
    libraryState = state
  }

  /// Forgets the state of the library, as the store has done before.
  func forgetState() { libraryState = LibraryState() }

  /// - Parameter dropped: records that verbs have taken out.
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

  /// Begins to work on everything that is unfinished in the library.
  /// - Parameter takesQueue: false means only on what is requested from now on; what is unfinished waits
  ///   until something changes in the queue.
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
      try await disk.run { [layout] in try DiskReserve(layout).keep() }
    } catch {
      return fail(LibraryError.wrapping(error))
    }
    // Until now whatever was changed was only written down.
    if !libraryState.isPaused { send(.paused(false)) }
    if takesQueue {
      pageStage.lookIntoStore()
      queueChanged()
    } else {
      for record in visible.records { lookAgain(at: record) }
    }
    finishRemovals()
    // The bounds may be others than those of an earlier run.
    evictIfNeeded()
    pumpPages()
  }

  /// Returns when nothing is left to do; an engine that was not started has all of it left.
  /// - Throws: what stopped the engine, if it could not continue (disk full, store broken), and
  ///   `.interrupted` when it was stopped or the calling task is cancelled.
  public func waitUntilIdle() async throws(LibraryError) {
    while failure == nil, !isStopped, !isIdle, !Task.isCancelled {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          // Looked at again where it is noted: in between, the last work may have ended.
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

  /// Ends every transfer, keeps everything, closes the store, lets go of the library. The engine
  /// cannot be used afterwards.
  public func stop() async {
    guard !isStopped, !isEnding else { return }
    isEnding = true
    wasIdle = isIdle || wasIdle
    await endSources()
    await quiesce()
    // The end of this engine is nobody's fault. Where the store is broken the next one knows less.
    try? store.setPageWork(pageStage.journalAtRest)
    await ports.transport.shutdown()
    await ports.renderer.shutdown()
    await closeStore()
    // After a full disk was emptied; where that did not help, the next engine tries again.
    try? await disk.run { [layout] in try DiskReserve(layout).keep() }
    isStopped = true
    standalone.failAll(LibraryError(.interrupted, ""))
    announcer.finish()
    lock.release()
    wakeIdleWaiters()
  }

  /// Makes `waitUntilIdle` return soon, with `.interrupted`; `stop` then ends the engine.
  public func interrupt() { fail(LibraryError(.interrupted, "")) }

  /// Cancels what runs and waits until all of it is on disk.
  func quiesce() async {
    cancelEverything()
    while let (request, number) = transfers.first { await end(of: request, number) }
    while let work = pageStage.tasks.first?.value { await work.task.value }
    await loading.task?.value
    await flushCommits()
    while let task = committing.task { await task.value }
  }

  /// After `quiesce`: works on what is in the store now.
  func goOn() {
    guard failure == nil, !isEnding else { return }
    isStopping = false
    // Their transfers are not known any more.
    standalone.failAll(Self.wasReset)
    // What a verb has taken out it puts back.
    scheduler = makeScheduler(without: scheduler.dropped)
    pageStage = Self.makePageStage(settings)
    pageStage.lookIntoStore()
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

  /// Everything that happens from now on. A slow reader loses the oldest; `seq` shows it.
  public func eventStream() -> AsyncStream<LibraryEvent> {
    announcer.subscribe { [weak self] number in
      Task { [weak self] in await self?.unsubscribe(number) }
    }
  }

  public func eventFeed() -> EventFeed { announcer.feed() }

  private func unsubscribe(_ number: Int) { announcer.unsubscribe(number) }

  /// How far everything is, for a display.
  public nonisolated func snapshot() -> LibraryProgress { ports.progress.snapshot() }

  var isIdle: Bool {
    isStarted && !isStopping && verbs.isAtRest && commits.count == 0 && committing.task == nil
      && pageStage.isIdle && transfers.isEmpty
      && (scheduler.isIdle || libraryState.isPaused) && !verbs.holdsBack(!scheduler.isIdle)
  }

  /// Reads more of the queue for the scheduler, in a turn of its own: `send` requests it in the middle of
  /// what it does.
  func begin(_ load: Scheduler.Load) {
    loading.begin(Task { answer(load) })
  }

  func noteIfIdle() {
    if announcer.isAwaited, isIdle || failure != nil { wakeIdleWaiters() }
  }

  private func wakeIdleWaiters() { announcer.wakeWaiters() }

  /// The engine cannot continue. What was finished stays finished.
  func fail(_ error: LibraryError) {
    guard failure == nil, !isStopped else { return }
    failure = error
    announcer.emit(.stopped(error))
    cancelEverything()
    wakeIdleWaiters()
    standalone.failAll(error)
  }
}
