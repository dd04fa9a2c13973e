public import Archive
public import Models
public import Persistence
public import ProgressTree
public import Rendering
public import SystemCalls
public import Transport

/// Runs one library: fetches what is queued, makes it durable, turns it into pages.
///
/// The actor coordinates and does nothing heavy: decisions are made by pure machines
/// (`Scheduler`, `RetryPolicy`, `ResumeDecision`), bytes go from the transport's thread to the disk,
/// blocking calls run on queues of their own. One engine a library at a time.
public actor Engine {
  /// What the engine works with; any adapter of each port.
  public struct Ports: Sendable {
    public var transport: any Transport
    /// With the safety policy around it.
    public var archive: any ArchiveReader
    public var renderer: any Renderer
    public var progress: any ProgressTracking
    public var clock: any EngineClock

    public init(
      transport: any Transport, archive: any ArchiveReader, renderer: any Renderer,
      progress: any ProgressTracking, clock: any EngineClock = SystemClock()
    ) {
      self.transport = transport
      self.archive = archive
      self.renderer = renderer
      self.progress = progress
      self.clock = clock
    }
  }

  public nonisolated let layout: LibraryLayout
  public nonisolated let store: any LibraryStore
  public nonisolated let settings: Settings
  let ports: Ports
  let lock: LibraryLock
  let bootID: String
  let disk = BlockingQueue("disk")
  let reading = BlockingQueue("sources")
  let unzipping = BlockingQueue("unzip")
  var events = EventLog()
  var scheduler: Scheduler
  var records: [RecordID: Record] = [:]
  var downloads: [ResourceID: Task<Void, Never>] = [:]
  var partials: [ResourceID: PartialDownload] = [:]
  /// Failed downloads whose row is not written yet.
  var givenUp: [ResourceID: Resource] = [:]
  var pageStage: PageStage
  var committer: Committer?
  /// Downloads and changes handed to the committer and not yet reported.
  var uncommitted = 0
  /// Finished downloads that keep their slot because the disk is behind.
  var heldSlots: [(ResourceID, host: String)] = []
  var timer: Task<Void, Never>?
  var isStarted = false
  var isStopping = false
  var failure: EngineError?
  var idleWaiters: [CheckedContinuation<Void, Never>] = []

  /// More than so many uncommitted files, and downloads wait: a slow disk slows the network.
  static let uncommittedLimit = 1_024

  /// Takes the lock, recovers what an earlier process left behind, and is ready; nothing is
  /// downloaded before `start`.
  /// - Parameters:
  ///   - root: the library's folder; made if it is missing.
  ///   - bootID: which boot of the machine this is; decides how far partial files are trusted.
  public static func open(
    root: String, settings: Settings, ports: Ports, opening: any StoreOpening,
    bootID: String? = Machine.bootID
  ) async throws(EngineError) -> Engine {
    do {
      let layout = LibraryLayout(root: root)
      try FileSystem.makeFolders(layout.incoming)
      try FileSystem.makeFolders(layout.renditions)
      let lock = try LibraryLock(layout)
      let store = try await opening.open(folder: layout.internals)
      let engine = Engine(
        layout: layout, store: store, settings: settings, ports: ports, lock: lock,
        bootID: bootID ?? "")
      do {
        try await engine.recover()
      } catch {
        await store.close()
        throw error
      }
      return engine
    } catch {
      throw EngineError.wrapping(error)
    }
  }

  private init(
    layout: LibraryLayout, store: any LibraryStore, settings: Settings, ports: Ports,
    lock: LibraryLock, bootID: String
  ) {
    self.layout = layout
    self.store = store
    self.settings = settings
    self.ports = ports
    self.lock = lock
    self.bootID = bootID
    scheduler = Scheduler(
      limit: settings.network.maxConcurrentDownloads, hostLimit: settings.network.maxPerHost)
    let workers = settings.rendering.workers
    // One more than there are workers, so that none waits for our reading and writing.
    pageStage = PageStage(width: (workers > 0 ? workers : min(4, Machine.processorCount)) + 1)
  }

  /// Begins to work on everything that is unfinished in the library.
  public func start() async throws(EngineError) {
    guard !isStarted else { return }
    isStarted = true
    do {
      try await trackUnsettledRecords()
    } catch {
      throw EngineError.wrapping(error)
    }
    pageStage.lookIntoStore()
    send(.queueChanged)
    await pumpPages()
  }

  /// Returns when nothing is left to do.
  /// - Throws: what stopped the engine, if it could not go on (disk full, store broken).
  public func waitUntilIdle() async throws(EngineError) {
    while failure == nil, !isIdle {
      await withCheckedContinuation { idleWaiters.append($0) }
    }
    if let failure { throw failure }
  }

  /// Ends every transfer, keeps everything, closes the store. The engine cannot be used afterwards.
  public func stop() async {
    await quiesce()
    await ports.transport.shutdown()
    await ports.renderer.shutdown()
    await store.close()
    events.finish()
  }

  /// Makes `waitUntilIdle` return soon, with `.interrupted`; `stop` then ends the engine.
  public func interrupt() { fail(EngineError(.interrupted, "interrupted")) }

  /// Cancels what runs and waits until all of it is on disk.
  func quiesce() async {
    isStopping = true
    timer?.cancel()
    for task in downloads.values { task.cancel() }
    for task in pageStage.tasks.values { task.cancel() }
    for task in downloads.values { await task.value }
    for task in pageStage.tasks.values { await task.value }
    await committer?.flush()
    wakeIdleWaiters()
  }

  /// Everything that happens from now on. A slow reader loses the oldest; `seq` shows it.
  public func eventStream() -> AsyncStream<EngineEvent> {
    events.subscribe { [weak self] number in
      Task { [weak self] in await self?.unsubscribe(number) }
    }
  }

  private func unsubscribe(_ number: Int) { events.remove(number) }

  /// How far everything is, for a display.
  public nonisolated func snapshot() -> LibraryProgress { ports.progress.snapshot() }

  /// Changes the number of simultaneous downloads at once; running ones end by themselves.
  public func setConcurrency(_ limit: Int) {
    events.emit(.concurrencyChanged(limit))
    send(.limitChanged(limit))
  }

  var isIdle: Bool {
    isStarted && scheduler.isIdle && uncommitted == 0 && pageStage.isIdle
  }

  func noteIfIdle() {
    if isIdle || failure != nil { wakeIdleWaiters() }
  }

  private func wakeIdleWaiters() {
    let waiters = idleWaiters
    idleWaiters = []
    for waiter in waiters { waiter.resume() }
  }

  /// The engine cannot go on. What was finished stays finished.
  func fail(_ error: EngineError) {
    guard failure == nil else { return }
    failure = error
    isStopping = true
    events.emit(.stopped(error))
    for task in downloads.values { task.cancel() }
    for task in pageStage.tasks.values { task.cancel() }
    wakeIdleWaiters()
  }
}
