public import LibraryAPI
public import Models
public import Persistence
import ProgressTree
public import SystemCalls
import Threading

/// Runs one library: downloads queued resources, commits them to disk and turns them into pages.
///
/// The actor makes every decision in a single turn: it reads the store, writes to it and changes its own
/// state without a suspension in between. It therefore runs on a thread of its own, the only one that uses
/// the store. Response bodies go from the transport's thread to the disk, and all other blocking calls run
/// on queues of their own. A library has at most one engine at a time.
public actor Engine {
  /// The thread that runs all turns of the engine. A transaction of the store may block it.
  nonisolated let executor = BlockingExecutor("library")
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  public nonisolated let layout: LibraryLayout
  /// Read-only access to the library, for callers outside the engine.
  public nonisolated let reader: any LibraryReader
  public nonisolated let settings: Settings
  nonisolated let progress: any ProgressTracking
  /// The outcomes of transfers that no turn has handled yet.
  nonisolated let completions = CompletionQueue()
  private let context: EngineContext
  private(set) lazy var stages = Stages(self, context)

  /// Opens the library: acquires its lock and completes or removes the unfinished work of an earlier
  /// process. Nothing is downloaded before `start`.
  /// - Parameters:
  ///   - root: The library's folder; created if it is missing.
  ///   - bootID: The identifier of the machine's current boot, which decides how far partial files are
  ///     trusted.
  ///   - overriding: The names of settings that take precedence over values that users set in an earlier
  ///     run.
  ///   - socket: The path at which clients reach this engine; written into the lock file.
  ///   - lock: The library's lock, held by an earlier program of this process (`heldLock`); nil if there was none.
  public static func open(
    root: String, settings: Settings, ports: EnginePorts, opening: any StoreOpening,
    bootID: String? = Machine.bootID, overriding: Set<String> = [],
    socket: String? = nil, inheriting lock: OwnedDescriptor? = nil
  ) async throws(LibraryError) -> Engine {
    let open = { () async throws(LibraryError) in
      try await openOnce(
        root: root, settings: settings, ports: ports, opening: opening, bootID: bootID,
        overriding: overriding, socket: socket, lock)
    }
    do {
      return try await open()
    } catch {
      // Free the reserve and try again, because on a full disk the user must be able to open the library
      // and remove records.
      let reserve = DiskReserve(LibraryLayout(root: FileSystem.canonicalPath(root)))
      guard error.code == .diskFull, reserve.deleteFile() else { throw error }
    }
    return try await open()
  }

  private static func openOnce(
    root: String, settings: Settings, ports: EnginePorts, opening: any StoreOpening,
    bootID: String?,
    overriding: Set<String>, socket: String?, _ inherited: OwnedDescriptor?
  ) async throws(LibraryError) -> Engine {
    do {
      let (layout, lock) = try await BlockingQueue("opening").run {
        let layout = LibraryLayout(
          root: FileSystem.canonicalPath(root), refusing: ports.refusal)
        try layout.prepareFolders()
        return (layout, try LibraryLock(layout, socket: socket, inheriting: inherited))
      }
      let engine = Engine(
        layout: layout, store: try await opening.open(folder: layout.internals),
        settings: settings, ports: ports, lock: lock, bootID: bootID ?? "")
      do {
        try await engine.run { stages in try await stages.recover(overriding) }
      } catch {
        await engine.run { await $0.context.closeStore() }
        throw error
      }
      return engine
    } catch {
      let layout = LibraryLayout(root: FileSystem.canonicalPath(root))
      throw LibraryError.readOnlyLibrary(layout, error) ?? LibraryError.wrapping(error)
    }
  }

  private init(
    layout: LibraryLayout, store: sending any LibraryStore, settings: Settings, ports: EnginePorts,
    lock: LibraryLock, bootID: String
  ) {
    self.layout = layout
    self.settings = settings
    progress = ports.progress
    reader = store.reader
    context = EngineContext(
      layout: layout, store: store, settings: settings, ports: ports, lock: lock, bootID: bootID)
  }
}

extension Engine: StageHost {
  nonisolated var turns: TurnDurations { executor.turns }

  func run<Value: Sendable>(
    _ body: @Sendable (Stages) async throws -> Value
  ) async rethrows -> Value {
    try await body(stages)
  }

  // `withTaskCancellationHandler` is called here because its closures must belong to the actor: a closure
  // that a stage passed to the standard library would run outside of the actor's isolation.
  func suspend(
    _ register: @Sendable (Stages, CheckedContinuation<Void, any Error>) -> Void,
    cancel: @escaping @Sendable (Stages) -> Void
  ) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { register(stages, $0) }
    } onCancel: {
      Task { await run(cancel) }
    }
  }
}
