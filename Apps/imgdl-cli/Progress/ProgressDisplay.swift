import CommandLine
import Glibc
import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport
import ProgressTree
import SystemCalls
import Threading

/// Shows the progress of an engine: redrawn lines on a terminal, plain lines in other outputs, JSON lines
/// with `--json`, nothing with `--quiet`.
actor ProgressDisplay {
  private enum Form { case drawn, plain, json, none }

  enum Message: Sendable {
    case note(String)
    case complaint(String)
  }

  private let form: Form
  private let library: LibraryConnection
  private let console: Console
  private let executor = BlockingExecutor("display")
  private var painter = FramePainter()
  private var plain = PlainProgress()
  private var rates = RecordRates()
  private var displayState = DisplayState()
  private var pauses = PauseState()
  private var cancelled = CancelledCounts()
  /// The records for which the store has been asked whether they are lazy.
  private var checkedForLazy: Set<RecordID> = []
  private var progress = LibraryProgress()
  /// The records to show, since other clients may use the same engine; nil means all records.
  private var selection: Set<RecordID>?
  private var tasks: [Task<Void, Never>] = []
  /// The error because of which events cannot be printed, such as that of a full disk; nil if there is none. A reader
  /// that has closed the pipe is no error.
  private(set) var outputFailure: SystemError?

  /// The time between two frames on a terminal.
  private static let frameInterval = Duration.milliseconds(100)
  private static let plainInterval = Duration.milliseconds(500)

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ context: Context, _ library: LibraryConnection) {
    self.library = library
    selection = library.engine == nil ? [] : nil
    console = context.console
    if context.invocation.flag("json") {
      form = .json
    } else if context.console.isQuiet || context.invocation.flag("no-progress") {
      form = .none
    } else if Machine.isTerminal(2), Machine.environment("TERM") != "dumb" {
      form = .drawn
    } else {
      form = .plain
    }
  }

  /// Starts the display, which receives every later event of the engine.
  func start() async {
    // Events that are not displayed are not requested, because each event takes the engine some time.
    guard form != .none else { return }
    show(await library.service.eventStream(), thenTo: nil)
  }

  /// Starts the display and relays each event after the display has processed it.
  /// - Returns: The stream of relayed events. A slow reader loses the oldest ones.
  func startRelaying() async -> AsyncStream<LibraryEvent> {
    let events = await library.service.eventStream()
    guard form != .none else { return events }
    let (shown, relay) = AsyncStream.makeStream(
      of: LibraryEvent.self, bufferingPolicy: .bufferingNewest(4_096))
    show(events, thenTo: relay)
    return shown
  }

  private func show(_ events: AsyncStream<LibraryEvent>, thenTo relay: Relay?) {
    if form == .json {
      tasks = [Task { await printEvents(events, relay) }]
    } else {
      tasks = [Task { await process(events, relay) }, Task { await repeatDrawing() }]
    }
  }

  /// Draws the final state, leaves the cursor below it, and stops the display.
  func stop() async {
    // The engine of this process sends events until it stops, so the JSON lines end with its stream.
    if form == .json, library.engine != nil { return }
    for task in tasks { task.cancel() }
    guard form == .drawn || form == .plain else { return }
    for task in tasks { await task.value }
    displayState.reading = nil
    await refresh()
    if form == .drawn { draw(isLast: true) } else { printPlain(isLast: true) }
  }

  /// Waits until all output has been written. The engine must have stopped.
  func finish() async {
    for task in tasks { await task.value }
  }

  /// - Parameter records: The records to show; nil means all.
  func show(only records: Set<RecordID>?) { selection = records }

  /// - Parameters:
  ///   - source: The source that is being read now; nil when it has been read.
  ///   - isTyped: Whether the user types the source on the terminal.
  func reading(_ source: String?, isTyped: Bool = false) {
    displayState.reading = source.map {
      DisplayState.Reading(source: Console.escaped($0), isTyped: isTyped)
    }
    if isTyped, form == .drawn {
      Console.write(painter.erase(columns: Self.size.columns), to: 2)
    }
  }

  /// Prints a message above the drawn lines.
  func printMessage(_ message: Message) {
    let columns = Self.size.columns
    if form == .drawn { Console.write(painter.erase(columns: columns), to: 2) }
    switch message {
    case .note(let text): console.printNote(Console.escaped(text))
    case .complaint(let text): console.printError(text)
    }
    if form == .drawn { draw(isLast: false) }
  }

  private static var size: (columns: Int, rows: Int) {
    Machine.terminalSize(2) ?? (columns: 80, rows: 24)
  }

  /// The time in seconds on the monotonic clock.
  private static var now: Double { Double(Machine.monotonicNanoseconds) / 1e9 }

  private func repeatDrawing() async {
    while !Task.isCancelled {
      await refresh()
      if form == .drawn { draw(isLast: false) } else { printPlain(isLast: false) }
      try? await Task.sleep(for: form == .drawn ? Self.frameInterval : Self.plainInterval)
    }
  }

  /// Updates the progress. If the engine does not answer, the previous progress remains.
  private func refresh() async {
    if let engine = library.engine {
      progress = engine.snapshot()
    } else if let status = try? await library.service.status() {
      progress = status.progress
    }
    if let selection { progress.narrow(to: selection) }
    for record in progress.records where checkedForLazy.insert(record.id).inserted {
      let row = try? await library.store.record(record.id)
      if row?.isLazy == true { pauses.lazy.insert(record.id) }
    }
    for record in cancelled.unknown(progress) {
      let count = try? await library.store.failedCount(
        of: record.id, reason: Resource.cancelledReason)
      if let count { cancelled.set(count, of: record) }
    }
  }

  private typealias Relay = AsyncStream<LibraryEvent>.Continuation

  private func process(_ events: AsyncStream<LibraryEvent>, _ relay: Relay?) async {
    await loadPauses()
    for await event in events {
      pauses.update(with: event.kind)
      cancelled.update(with: event.kind)
      displayState.update(with: event.kind, at: Self.now)
      relay?.yield(event)
    }
    relay?.finish()
  }

  /// Reads from the store which records are paused. Events that arrive during the read are applied after it,
  /// in order.
  private func loadPauses() async {
    guard let state = try? await library.store.libraryState() else { return }
    pauses.isLibraryPaused = state.isPaused
    var offset = 0
    while let page = try? await library.store.records(offset: offset, limit: 500), !page.isEmpty {
      offset += page.count
      pauses.records.formUnion(page.filter(\.isPaused).map(\.id))
    }
  }

  private func draw(isLast: Bool) {
    // No lines are drawn while the user types a list on the same terminal.
    guard displayState.reading?.isTyped != true else { return }
    let now = Self.now
    let size = Self.size
    rates.update(progress.records, at: now)
    var lines: [String] = []
    if !progress.records.isEmpty {
      lines = ProgressLines.render(
        progress, rates, pauses, cancelled, columns: size.columns, rows: size.rows)
    }
    if !isLast {
      if pauses.isLibraryPaused { lines.append(PauseState.sentence) }
      lines += displayState.lines(at: now)
    }
    Console.write(painter.paint(lines, columns: size.columns), to: 2)
  }

  private func printPlain(isLast: Bool) {
    for line in plain.lines(progress, pauses, cancelled, isLast: isLast) { console.printNote(line) }
  }

  /// Prints events as JSON lines. If they cannot be written, as after the reader of the output has closed the pipe, the
  /// run is interrupted as by Ctrl-C; finished work is kept.
  private func printEvents(_ events: AsyncStream<LibraryEvent>, _ relay: Relay?) async {
    for await event in events {
      guard console.tryPrint(JSONOutput.line(EventLine(event))) else {
        let failure = SystemError.last("write to", path: "standard output")
        guard let engine = library.engine else {
          guard failure.errno != EPIPE else { _exit(ExitCode.interrupted.rawValue) }
          console.printError(failure.description)
          _exit(ExitCode.disk.rawValue)
        }
        if failure.errno != EPIPE { outputFailure = failure }
        await engine.interrupt()
        break
      }
      relay?.yield(event)
    }
    relay?.finish()
  }
}

extension LibraryProgress {
  /// Removes all records that are not in the selection, also from the totals.
  fileprivate mutating func narrow(to selection: Set<RecordID>) {
    let others = records.contains { !selection.contains($0.id) }
    records.removeAll { !selection.contains($0.id) }
    guard others else { return }
    (total, finished, failed, bytes) = (0, 0, 0, 0)
    var done = 0.0
    for record in records {
      total += record.total
      finished += record.finished
      failed += record.failed
      bytes += record.bytes
      done += record.fraction * Double(record.total)
    }
    fraction = total > 0 ? done / Double(total) : 0
    // The engine reports the rate and the remaining time only for all of its records together.
    (bytesPerSecond, secondsLeft) = (0, nil)
  }
}

/// The state that the display derives from events, in addition to the progress.
struct DisplayState {
  /// The source that is being read.
  struct Reading {
    let source: String
    var isTyped = false
    /// The number of entries read so far.
    var entries = 0
    var bytes: Int64 = 0
    var total: Int64?

    /// The position in the source: `: 12.3 MB of 400.0 MB, 3 %`; empty before the first event.
    fileprivate var position: String {
      if entries > 0 { return entries == 1 ? ": 1 entry" : ": \(entries) entries" }
      return bytes > 0 ? ": \(ByteText.progress(bytes, of: total))" : ""
    }
  }

  var reading: Reading?
  private var hostWaits: [String: (end: Double, reason: String)] = [:]

  /// - Parameter time: The time of the event, in seconds on a monotonic clock.
  mutating func update(with event: LibraryEvent.Kind, at time: Double) {
    switch event {
    case .sourceReading(_, let bytes, let total):
      reading?.bytes = bytes
      reading?.total = total
    case .sourceLoading(_, let entries): reading?.entries = entries
    case .hostWaits(let host, let seconds, let reason):
      hostWaits[Console.escaped(host)] = (time + seconds, Console.escaped(reason))
    default: break
    }
  }

  func lines(at time: Double) -> [String] {
    var lines: [String] = []
    for (host, wait) in hostWaits.sorted(by: { $0.key < $1.key }) where wait.end > time {
      lines.append("Waiting \(ProgressLines.time(wait.end - time)) for \(host): \(wait.reason)")
    }
    if let reading {
      lines.append("Reading \(reading.source)\(reading.position)")
    }
    return lines
  }
}
