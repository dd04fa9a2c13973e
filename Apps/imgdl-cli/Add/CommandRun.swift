import CommandLine
import Composition
import LibraryAPI
import Models
import ProgramSupport
import Wiring

/// One run of a command that starts downloads: connection, display, summary, exit code. The engine runs in
/// this process or in another one, whose events the run then follows until the requested work is done.
struct CommandRun: Sendable {
  let context: Context
  let library: LibraryConnection
  let display: ProgressDisplay
  let interrupts: Interrupts
  /// The password of encrypted files among the downloads; nil if none was given.
  let password: DocumentPassword?
  /// The options of the command's requests.
  let options: RequestOptions

  typealias Work = @Sendable (CommandRun) async throws -> AddOutcome

  /// The result of adding the sources.
  struct AddOutcome: Sendable {
    private(set) var records: [RecordID] = []
    private var recordIDs: Set<RecordID> = []
    /// For records whose settled resources are about to be queued again, their number: so many are settled
    /// after the downloads.
    private(set) var settledCounts: [RecordID: Int] = [:]
    /// The records whose files are downloaded again although they exist.
    private(set) var reloaded: Set<RecordID> = []
    /// The failures of parts of the work, which have already been reported.
    var failures: [ProgramFailure] = []
    private(set) var problemCount = 0
    private(set) var onlyFailuresRemain = false
    /// Whether the program that lists a source was interrupted, so that nothing of the source is kept.
    var hasLostList = false
    /// Whether an interrupt came before or during the reading of a source, so that nothing of the source was added.
    var hasUnreadSource = false
    /// The newest resource when the first source was begun. Files requested since then are not requested
    /// again.
    private(set) var began: ResourceID?

    mutating func record(_ result: AddResult) {
      record(result.records)
      began = began ?? result.began
      problemCount += result.problemCount
      if result.outcome == .onlyFailuresRemain { onlyFailuresRemain = true }
    }

    mutating func record(_ result: RefreshResult) {
      record(result.newRecords)
      problemCount += result.problems.count
    }

    /// Adds records without duplicates: a source that is named twice yields the same records.
    mutating func record(_ new: [RecordID]) {
      records += new.filter { recordIDs.insert($0).inserted }
    }

    /// Adds a record whose settled resources are about to be queued again.
    mutating func record(_ record: Record) {
      self.record([record.id])
      settledCounts[record.id] = record.counts.settled
    }

    /// Adds a record whose files are downloaded again.
    mutating func recordReload(of record: Record) {
      self.record(record)
      reloaded.insert(record.id)
    }

    /// Whether the interrupt has left nothing that could be continued.
    var isLost: Bool { hasLostList && records.isEmpty }

    /// Whether the interrupt came before anything was added.
    var isUnread: Bool { hasUnreadSource && records.isEmpty }

    var isUntouched: Bool { records.isEmpty && failures.isEmpty }
  }

  /// The way in which the work ended, or the reason why the run no longer waits for the work.
  enum Termination: Sendable {
    case idle
    case failed(ProgramFailure)
    /// The user has paused the work; the sentence names the command that resumes it.
    case paused(String)
    /// The engine of another process continues the work after an interrupt.
    case detached
    /// The engine of another process ended before the work was done.
    case abandoned
  }

  /// The maximum number of attempts to complete the work with engines of other processes.
  private static let takeoverLimit = 10

  /// Connects to the library, works until the work is done, and closes the library. If the engine of another
  /// process ends too early, the work continues with the next engine.
  /// - Parameters:
  ///   - change: Replaces adapters of an engine in this process.
  ///   - password: The password of encrypted files among the downloads.
  ///   - report: Called with the summary before it is printed.
  static func run(
    _ context: Context, password: DocumentPassword? = nil,
    changing change: @Sendable (inout Catalogue) -> Void = { _ in },
    reporting report: @Sendable (Summary) throws -> Void = { _ in }, _ work: @escaping Work
  ) async throws -> ExitCode {
    let options = try context.requestOptions()
    for output in ["failed-to", "summary"].compactMap({ context.invocation.value($0) }) {
      try await context.refuseFileOfLibrary(output)
    }
    let interrupts = try Interrupts()
    var outcome: AddOutcome?
    for attempt in 1... {
      let library = try await context.connect(isDownloading: true, changing: change)
      let job = CommandRun(context, library, interrupts, password, library.passed(options))
      let (result, termination) = await job.run(outcome, work)
      if case .abandoned = termination, attempt < takeoverLimit, !interrupts.wasInterrupted {
        await job.disconnect()
        outcome = result
        continue
      }
      return await job.conclude(result ?? AddOutcome(), termination, report)
    }
    return .internalError
  }

  private init(
    _ context: Context, _ library: LibraryConnection, _ interrupts: Interrupts,
    _ password: DocumentPassword?, _ options: RequestOptions
  ) {
    self.context = context
    self.password = password
    self.options = options
    self.library = library
    self.interrupts = interrupts
    display = ProgressDisplay(context, library)
  }

  /// - Parameter begun: The outcome of adding the sources with an earlier engine, or nil if none was used.
  /// - Returns: The outcome of adding the sources, and the way in which the work ended.
  private func run(_ begun: AddOutcome?, _ work: @escaping Work) async -> (AddOutcome?, Termination)
  {
    var outcome = begun
    do {
      if let engine = library.engine {
        await display.start()
        // Queued downloads start only after their sources have the options of this command.
        try await engine.start(takesQueue: options.isEmpty || outcome != nil)
        if outcome == nil { outcome = try await start(work) }
        if !options.isEmpty { try await engine.start() }
        try await waitHere(engine)
        try await unlock(outcome?.records ?? [])
      } else {
        let events = await display.startRelaying()
        if outcome == nil { outcome = try await start(work) }
        let termination = try await waitForCompletion(of: outcome ?? AddOutcome(), events)
        if case .idle = termination { try await unlock(outcome?.records ?? []) }
        return (outcome, termination)
      }
      let pause = try await pause(of: outcome ?? AddOutcome())
      return (outcome, pause.map { .paused($0) } ?? .idle)
    } catch {
      if library.engine == nil, interrupts.wasInterrupted { return (outcome, .detached) }
      if outcome == nil, isGone(error) { return (nil, .abandoned) }
      return (outcome, .failed(ProgramFailure(wrapping: error)))
    }
  }

  private func start(_ work: @escaping Work) async throws -> AddOutcome {
    try await interrupts.during {
      do {
        return try await work(self)
      } catch {
        var outcome = AddOutcome()
        try await failed(error, &outcome)
        return outcome
      }
    } onInterrupt: {
      await library.engine?.interrupt()
    }
  }

  private func waitHere(_ engine: any LocalEngine) async throws {
    try await interrupts.during {
      try await engine.waitUntilIdle()
    } onInterrupt: {
      await engine.interrupt()
    }
  }

  private func waitForCompletion(
    of outcome: AddOutcome, _ events: AsyncStream<LibraryEvent>
  ) async throws -> Termination {
    await display.show(only: Set(outcome.records))
    if interrupts.wasInterrupted { return .detached }
    if let pause = try await pause(of: outcome) { return .paused(pause) }
    let following = RecordFollower(library, events)
    let end = try await interrupts.during {
      try await following.waitUntilFinished(outcome.records, settling: outcome.settledCounts)
    }
    return end == .finished ? .idle : .abandoned
  }

  /// Reports the failure of one part of the work, such as one source; the other parts continue.
  /// - Throws: `error` itself if no part of the work has had a result yet and another engine can take the
  ///   work over.
  func failed(
    _ error: any Error, _ outcome: inout AddOutcome, canBeginAgain: Bool = true
  ) async throws {
    if canBeginAgain, outcome.isUntouched, isGone(error) { throw error }
    let failure = ProgramFailure(wrapping: error)
    outcome.failures.append(failure)
    if ProgramFailure.isWorthTelling(error) {
      if failure.code == .interrupted { outcome.hasLostList = true }
      await display.printMessage(.complaint(failure.message))
    }
  }

  /// Whether the error means that the engine of another process has ended, so that another engine can take
  /// over.
  private func isGone(_ error: any Error) -> Bool {
    !interrupts.wasInterrupted && library.isEngineLost(error)
  }

  /// Closes the connection to an engine that has ended, before another engine continues the work.
  private func disconnect() async {
    await display.stop()
    await library.close()
    await display.finish()
    if library.isDaemon, let next = await context.restarted(library) {
      await next.close()
      context.console.printNote("\(library.owner) has restarted and continues.")
    } else {
      context.console.printNote("\(library.owner) has exited; continuing without it.")
    }
  }
}
