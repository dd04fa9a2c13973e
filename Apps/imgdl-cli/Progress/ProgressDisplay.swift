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

/// Shows the work of an engine while it goes on: drawn lines on a terminal, plain lines elsewhere,
/// JSON lines on request, nothing with `--quiet`.
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
  private var news = DisplayState()
  private var pauses = PauseState()
  /// Records whose kind has been looked up.
  private var known: Set<RecordID> = []
  private var progress = LibraryProgress()
  /// Of an engine that others use too, only our records count; nil means all.
  private var selection: Set<RecordID>?
  private var tasks: [Task<Void, Never>] = []

  /// Frames per second on a terminal.
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

  /// Begins to show. Nothing that the engine does after this is missed.
  func start() async {
    // What nobody looks at is not told either: each event costs the engine a little.
    guard form != .none else { return }
    show(await library.service.eventStream(), thenTo: nil)
  }

  /// Begins to show, and tells of what was shown.
  /// - Returns: events after they were shown. Who does not read them misses the oldest.
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
      tasks = [Task { await follow(events, relay) }, Task { await repeatDrawing() }]
    }
  }

  /// Shows the last state and no more; the cursor is below it.
  func stop() async {
    // Our own engine tells to the end what it does.
    if form == .json, library.engine != nil { return }
    for task in tasks { task.cancel() }
    guard form == .drawn || form == .plain else { return }
    for task in tasks { await task.value }
    news.reading = nil
    await look()
    if form == .drawn { draw(isLast: true) } else { tellPlainly(isLast: true) }
  }

  /// Returns when everything has been written; the engine has stopped.
  func finish() async {
    for task in tasks { await task.value }
  }

  /// - Parameter records: those that count; nil means all.
  func show(only records: Set<RecordID>?) { selection = records }

  /// - Parameters:
  ///   - source: what is being read now; nil when that is over.
  ///   - isTyped: it comes from the terminal.
  func reading(_ source: String?, isTyped: Bool = false) {
    news.reading = source.map {
      DisplayState.Reading(source: Console.escaped($0), isTyped: isTyped)
    }
    if isTyped, form == .drawn {
      Console.write(painter.erase(columns: Self.size.columns), to: 2)
    }
  }

  /// Says something above the lines that are drawn.
  func tell(_ message: Message) {
    let columns = Self.size.columns
    if form == .drawn { Console.write(painter.erase(columns: columns), to: 2) }
    switch message {
    case .note(let text): console.note(Console.escaped(text))
    case .complaint(let text): console.complain(text)
    }
    if form == .drawn { draw(isLast: false) }
  }

  private static var size: (columns: Int, rows: Int) {
    Machine.terminalSize(2) ?? (columns: 80, rows: 24)
  }

  /// Seconds on a clock that is never set.
  private static var now: Double { Double(Machine.monotonicNanoseconds) / 1e9 }

  private func repeatDrawing() async {
    while !Task.isCancelled {
      await look()
      if form == .drawn { draw(isLast: false) } else { tellPlainly(isLast: false) }
      try? await Task.sleep(for: form == .drawn ? Self.frameInterval : Self.plainInterval)
    }
  }

  /// An engine that does not answer any more leaves the last that was known.
  private func look() async {
    if let engine = library.engine {
      progress = engine.snapshot()
    } else if let status = try? await library.service.status() {
      progress = status.progress
    }
    if let selection { progress.narrow(to: selection) }
    for record in progress.records where known.insert(record.id).inserted {
      let row = try? await library.store.record(record.id)
      if row?.isLazy == true { pauses.lazy.insert(record.id) }
    }
  }

  private typealias Relay = AsyncStream<LibraryEvent>.Continuation

  private func follow(_ events: AsyncStream<LibraryEvent>, _ relay: Relay?) async {
    await learnPauses()
    for await event in events {
      pauses.note(event.kind)
      news.note(event.kind, at: Self.now)
      relay?.yield(event)
    }
    relay?.finish()
  }

  /// What is paused already. Events that come meanwhile are noted afterwards, in their order.
  private func learnPauses() async {
    guard let state = try? await library.store.libraryState() else { return }
    pauses.isLibraryPaused = state.isPaused
    var offset = 0
    while let page = try? await library.store.records(offset: offset, limit: 500), !page.isEmpty {
      offset += page.count
      pauses.records.formUnion(page.filter(\.isPaused).map(\.id))
    }
  }

  private func draw(isLast: Bool) {
    // Drawing would come between the letters of somebody who types a list.
    guard news.reading?.isTyped != true else { return }
    let now = Self.now
    let size = Self.size
    rates.note(progress, at: now)
    var lines: [String] = []
    if !progress.records.isEmpty {
      lines = ProgressLines.render(
        progress, rates, pauses, columns: size.columns, rows: size.rows)
    }
    if !isLast {
      if pauses.isLibraryPaused { lines.append(PauseState.sentence) }
      lines += news.lines(at: now)
    }
    Console.write(painter.paint(lines, columns: size.columns), to: 2)
  }

  private func tellPlainly(isLast: Bool) {
    for line in plain.lines(progress, pauses, isLast: isLast) { console.note(line) }
  }

  /// A reader that has gone is like Ctrl-C: the work is kept.
  private func printEvents(_ events: AsyncStream<LibraryEvent>, _ relay: Relay?) async {
    for await event in events {
      guard console.tryPrint(JSONOutput.line(EventLine(event))) else {
        guard let engine = library.engine else { _exit(ExitCode.interrupted.rawValue) }
        await engine.interrupt()
        break
      }
      relay?.yield(event)
    }
    relay?.finish()
  }
}

extension LibraryProgress {
  /// Leaves out other records, also from the sums.
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
    // They are of the whole engine.
    (bytesPerSecond, secondsLeft) = (0, nil)
  }
}

/// What the display knows from events, beside the progress.
struct DisplayState {
  /// The source that is being read.
  struct Reading {
    let source: String
    var isTyped = false
    /// So far.
    var entries = 0
    var bytes: Int64 = 0
    var total: Int64?

    /// How far it is, as in ": 12.3 MB of 400 MB, 3 %"; empty at first.
    fileprivate var position: String {
      if entries > 0 { return ": \(entries) entries" }
      return bytes > 0 ? ": \(ByteText.progress(bytes, of: total))" : ""
    }
  }

  var reading: Reading?
  private var waits: [String: (end: Double, reason: String)] = [:]

  /// - Parameter time: seconds on a monotonic clock.
  mutating func note(_ event: LibraryEvent.Kind, at time: Double) {
    switch event {
    case .sourceReading(_, let bytes, let total):
      reading?.bytes = bytes
      reading?.total = total
    case .sourceLoading(_, let entries): reading?.entries = entries
    case .hostWaits(let host, let seconds, let reason):
      waits[Console.escaped(host)] = (time + seconds, Console.escaped(reason))
    default: break
    }
  }

  func lines(at time: Double) -> [String] {
    var lines: [String] = []
    for (host, wait) in waits.sorted(by: { $0.key < $1.key }) where wait.end > time {
      lines.append("Waiting \(ProgressLines.time(wait.end - time)) for \(host): \(wait.reason)")
    }
    if let reading {
      lines.append("Reading \(reading.source)\(reading.position)")
    }
    return lines
  }
}
