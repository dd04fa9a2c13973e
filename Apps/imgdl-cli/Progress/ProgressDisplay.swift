import CommandLine
import Engine
import Glibc
import Models
import ProgressTree
import SystemCalls

/// Shows the work of an engine while it goes on: drawn lines on a terminal, plain lines elsewhere,
/// JSON lines on request, nothing with `--quiet`.
actor ProgressDisplay {
  private enum Form { case drawn, plain, json, none }

  enum Message: Sendable {
    case note(String)
    case complaint(String)
  }

  private let form: Form
  private let engine: Engine
  private let console: Console
  private let executor = DisplayExecutor()
  private var painter = FramePainter()
  private var plain = PlainProgress()
  private var rates = RecordRates()
  private var news = DisplayNews()
  private var tasks: [Task<Void, Never>] = []

  /// Frames a second on a terminal.
  private static let frameInterval = Duration.milliseconds(100)
  private static let plainInterval = Duration.milliseconds(500)

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ context: Context, _ engine: Engine) {
    self.engine = engine
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
    guard form != .none else { return }
    let events = await engine.eventStream()
    if form == .json {
      tasks = [Task { await printEvents(events) }]
    } else {
      tasks = [Task { await follow(events) }, Task { await repeatDrawing() }]
    }
  }

  /// Shows the last state and no more; the cursor is below it.
  func stop() async {
    guard form == .drawn || form == .plain else { return }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    news.reading = nil
    if form == .drawn { draw(isLast: true) } else { tellPlainly(isLast: true) }
  }

  /// Returns when everything has been written; the engine has stopped.
  func finish() async {
    for task in tasks { await task.value }
  }

  /// - Parameters:
  ///   - source: what is being read now; nil when that is over.
  ///   - isTyped: it comes from the terminal.
  func reading(_ source: String?, isTyped: Bool = false) {
    news.reading = source.map { DisplayNews.Reading(source: Console.escaped($0), isTyped: isTyped) }
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
      if form == .drawn { draw(isLast: false) } else { tellPlainly(isLast: false) }
      try? await Task.sleep(for: form == .drawn ? Self.frameInterval : Self.plainInterval)
    }
  }

  private func follow(_ events: AsyncStream<EngineEvent>) async {
    for await event in events { news.note(event.kind, at: Self.now) }
  }

  private func draw(isLast: Bool) {
    // Drawing would come between the letters of somebody who types a list.
    guard news.reading?.isTyped != true else { return }
    let now = Self.now
    let size = Self.size
    let progress = engine.snapshot()
    rates.note(progress, at: now)
    var lines: [String] = []
    if !progress.records.isEmpty {
      lines = ProgressLines.render(progress, rates, columns: size.columns, rows: size.rows)
    }
    if !isLast { lines += news.lines(at: now) }
    Console.write(painter.paint(lines, columns: size.columns), to: 2)
  }

  private func tellPlainly(isLast: Bool) {
    for line in plain.lines(engine.snapshot(), isLast: isLast) { console.note(line) }
  }

  /// A reader that has gone is like Ctrl-C: the work is kept.
  private func printEvents(_ events: AsyncStream<EngineEvent>) async {
    for await event in events where !console.tryPrint(JSONOutput.line(EventLine(event))) {
      return await engine.interrupt()
    }
  }
}

/// What the display knows from events, beside the progress.
struct DisplayNews {
  /// The source that is being read.
  struct Reading {
    let source: String
    var isTyped = false
    /// So far.
    var entries = 0
  }

  var reading: Reading?
  private var waits: [String: Double] = [:]

  /// - Parameter time: seconds on a monotonic clock.
  mutating func note(_ event: EngineEvent.Kind, at time: Double) {
    switch event {
    case .sourceLoading(_, let entries): reading?.entries = entries
    case .hostWaits(let host, let seconds, _): waits[Console.escaped(host)] = time + seconds
    default: break
    }
  }

  func lines(at time: Double) -> [String] {
    var lines: [String] = []
    for (host, end) in waits.sorted(by: { $0.key < $1.key }) where end > time {
      lines.append("Waiting \(ProgressLines.time(end - time)): \(host) asked for it")
    }
    if let reading {
      let count = reading.entries == 0 ? "" : ": \(reading.entries) entries"
      lines.append("Reading \(reading.source)\(count)")
    }
    return lines
  }
}
