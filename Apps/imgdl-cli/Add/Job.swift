import CommandLine
import Composition
import LibraryAPI
import Models
import ProgramSupport
import Wiring

/// One run of a command that begins work: begin, display, summary, exit code. The engine is ours,
/// or another process has it and is watched until our part is done.
struct Job: Sendable {
  let context: Context
  let library: LibraryConnection
  let display: ProgressDisplay
  let interrupts: Interrupts
  /// Of encrypted files among what comes.
  let password: DocumentPassword?

  typealias Work = @Sendable (Job) async throws -> AddOutcome

  /// What the beginning came to.
  struct AddOutcome: Sendable {
    private(set) var records: [RecordID] = []
    private var known: Set<RecordID> = []
    /// Told already.
    var failures: [ProgramFailure] = []
    private(set) var problemCount = 0
    private(set) var onlyFailuresRemain = false
    /// When the first source was begun: what was fetched since then is not asked for again.
    private(set) var began: ResourceID?

    mutating func note(_ result: AddResult) {
      note(result.records)
      began = began ?? result.began
      problemCount += result.problemCount
      if result.outcome == .onlyFailuresRemain { onlyFailuresRemain = true }
    }

    mutating func note(_ result: RefreshResult) {
      note(result.newRecords)
      problemCount += result.problems.count
    }

    /// The same source named twice is one set of records.
    mutating func note(_ new: [RecordID]) { records += new.filter { known.insert($0).inserted } }

    var isUntouched: Bool { records.isEmpty && failures.isEmpty }
  }

  /// How the work ended, or why it is not awaited any longer.
  enum Ending: Sendable {
    case idle
    case failed(ProgramFailure)
    /// The user has paused it, and how to continue.
    case paused(String)
    /// The engine of another process continues with it.
    case detached
    /// The engine of another process has ended before.
    case abandoned
  }

  /// So many engines of other processes may go away before that is an error.
  private static let takeoverLimit = 10

  /// Connects, works until the work is done, and lets go. When the engine was another process's and
  /// that ends too early, the work continues here.
  /// - Parameters:
  ///   - change: may replace adapters of an engine of our own.
  ///   - password: of encrypted files among what comes.
  ///   - report: told what the run came to, before anybody else.
  static func run(
    _ context: Context, password: DocumentPassword? = nil,
    changing change: @Sendable (inout Catalogue) -> Void = { _ in },
    reporting report: @Sendable (Summary) throws -> Void = { _ in }, _ work: @escaping Work
  ) async throws -> ExitCode {
    let interrupts = Interrupts()
    var sourcing: AddOutcome?
    for attempt in 1... {
      let library = try await context.connect(changing: change)
      let job = Job(context, library, interrupts, password)
      let (result, ending) = await job.run(sourcing, work)
      if case .abandoned = ending, attempt < takeoverLimit, !interrupts.wasInterrupted {
        await job.leave()
        sourcing = result
        continue
      }
      return await job.conclude(result ?? AddOutcome(), ending, report)
    }
    return .internalError
  }

  private init(
    _ context: Context, _ library: LibraryConnection, _ interrupts: Interrupts,
    _ password: DocumentPassword?
  ) {
    self.context = context
    self.password = password
    self.library = library
    self.interrupts = interrupts
    display = ProgressDisplay(context, library)
  }

  /// - Parameter begun: what an earlier engine has begun; nil means nothing.
  /// - Returns: what is begun now.
  private func run(_ begun: AddOutcome?, _ work: @escaping Work) async -> (AddOutcome?, Ending) {
    var sourcing = begun
    do {
      if let engine = library.engine {
        await display.start()
        try await engine.start()
        if sourcing == nil { sourcing = try await begin(work) }
        try await waitHere(engine)
        try await unlock(sourcing?.records ?? [])
      } else {
        let events = await display.startRelaying()
        if sourcing == nil { sourcing = try await begin(work) }
        let ending = try await follow(sourcing?.records ?? [], events)
        if case .idle = ending { try await unlock(sourcing?.records ?? []) }
        return (sourcing, ending)
      }
      let pause = try await pause(of: sourcing?.records ?? [])
      return (sourcing, pause.map { .paused($0) } ?? .idle)
    } catch {
      if library.engine == nil, interrupts.wasInterrupted { return (sourcing, .detached) }
      if sourcing == nil, isGone(error) { return (nil, .abandoned) }
      return (sourcing, .failed(ProgramFailure(wrapping: error)))
    }
  }

  private func begin(_ work: @escaping Work) async throws -> AddOutcome {
    try await interrupts.during {
      do {
        return try await work(self)
      } catch {
        var sourcing = AddOutcome()
        try await failed(error, &sourcing)
        return sourcing
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

  private func follow(
    _ records: [RecordID], _ events: AsyncStream<LibraryEvent>
  ) async throws -> Ending {
    await display.show(only: Set(records))
    if interrupts.wasInterrupted { return .detached }
    if let pause = try await pause(of: records) { return .paused(pause) }
    let following = Following(library, events)
    let end = try await interrupts.during { try await following.untilSettled(records) }
    return end == .settled ? .idle : .abandoned
  }

  /// Tells what went wrong with one part of the work; the rest may continue.
  /// - Throws: the error itself when nothing has come of the work yet and another engine will do.
  func failed(
    _ error: any Error, _ sourcing: inout AddOutcome, canBeginAgain: Bool = true
  ) async throws {
    if canBeginAgain, sourcing.isUntouched, isGone(error) { throw error }
    let failure = ProgramFailure(wrapping: error)
    sourcing.failures.append(failure)
    if failure.code != .interrupted { await display.tell(.complaint(failure.message)) }
  }

  /// Another engine will do.
  private func isGone(_ error: any Error) -> Bool {
    !interrupts.wasInterrupted && library.isGone(error)
  }

  /// The work continues with another engine.
  private func leave() async {
    await display.stop()
    await library.close()
    await display.finish()
    context.console.note("\(library.owner) has ended; going on without it.")
  }
}
