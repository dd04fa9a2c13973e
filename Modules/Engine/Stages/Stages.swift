import Persistence
import Threading

/// The actor in whose isolation the stages run.
protocol StageHost: DownloadOwner, SourceOwner, RecordMaker {
  /// The measured durations of the actor's turns.
  nonisolated var turns: TurnDurations { get }

  /// Runs `body` with the stages, in turns of the actor.
  func run<Value: Sendable>(
    _ body: @Sendable (Stages) async throws -> Value
  ) async rethrows -> Value

  /// Suspends the caller until its continuation is resumed.
  /// - Parameters:
  ///   - register: Keeps the continuation, or resumes it at once.
  ///   - cancel: Runs in a turn after the caller's task was cancelled, and resumes the continuation.
  func suspend(
    _ register: @Sendable (Stages, CheckedContinuation<Void, any Error>) -> Void,
    cancel: @escaping @Sendable (Stages) -> Void
  ) async throws
}

/// The stages of one engine, which call each other in the engine's isolation. Not `Sendable`: only a turn of
/// the engine reaches them.
final class Stages {
  let context: EngineContext
  /// The engine, for work that begins in a turn of its own.
  unowned let engine: any StageHost

  private(set) lazy var lifecycle = Lifecycle(self)
  private(set) lazy var catalog = Catalog(self)
  private(set) lazy var lookup = ItemLookup(self)
  private(set) lazy var transfers = TransferStage(self)
  private(set) lazy var descriptions = DescriptionStage(self)
  private(set) lazy var deliveries = DeliveryStage(self)
  private(set) lazy var commits = CommitStage(self)
  private(set) lazy var pages = PageStage(self)
  private(set) lazy var drawings = DrawingStage(self)
  private(set) lazy var renewals = RenewalStage(self)
  private(set) lazy var viewports = ViewportStage(self)
  private(set) lazy var cache = CacheStage(self)
  private(set) lazy var evictions = EvictionStage(self)
  private(set) lazy var sources = SourceStage(self)
  private(set) lazy var sourceFiles = SourceFileStage(self)
  private(set) lazy var recordMaking = RecordMakingStage(self)
  private(set) lazy var refreshes = RefreshStage(self)
  private(set) lazy var verbs = VerbStage(self)
  private(set) lazy var requestOptions = RequestOptionStage(self)
  private(set) lazy var partials = PartialFileStage(self)
  private(set) lazy var requeues = RequeueStage(self)
  private(set) lazy var resourceVerbs = ResourceVerbStage(self)
  private(set) lazy var requested = RequestedStage(self)
  private(set) lazy var removals = RemovalStage(self)
  private(set) lazy var singles = SingleStage(self)
  private(set) lazy var singleRequests = SingleRequestStage(self)
  private(set) lazy var remotePages = RemotePageStage(self)

  init(_ engine: any StageHost, _ context: EngineContext) {
    self.engine = engine
    self.context = context
  }

  /// Restores what users changed during earlier runs, and recovers from the end of an earlier process.
  func recover(_ overriding: Set<String>) async throws {
    try verbs.restoreState(overriding)
    context.records.registerLastResource(try context.store.lastResource())
    transfers.replaceScheduler()
    try await Recovery(self).run()
  }

  /// Traps if the caller does not run in the engine's isolation. A crash keeps all finished work, whereas
  /// two threads that change the engine's state at once could lose it.
  func checkIsolation() { engine.preconditionIsolated() }

  /// Runs `body` in later turns of the engine.
  @discardableResult
  func spawn(_ body: @escaping @Sendable (Stages) async -> Void) -> Task<Void, Never> {
    engine.assumeIsolated { engine in Task { await engine.run(body) } }
  }
}
