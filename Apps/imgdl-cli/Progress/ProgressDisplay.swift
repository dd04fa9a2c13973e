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

  private let form: Form
  private let engine: Engine
  private let console: Console
  private var drawnLines = 0
  private var plain = PlainProgress()
  private var loading: String?

  /// Frames a second on a terminal.
  private static let frameInterval = Duration.milliseconds(100)
  private static let plainInterval = Duration.milliseconds(500)

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

  /// Begins to show; cancelling the task ends it.
  func start() async -> Task<Void, Never> {
    let events = await engine.eventStream()
    switch form {
    case .json: return Task { await printEvents(events) }
    case .none: return Task {}
    case .drawn, .plain:
      let watching = Task { await watchLoading(events) }
      return Task {
        await repeatDrawing()
        watching.cancel()
      }
    }
  }

  /// The last state, then the cursor is below it.
  func finish() {
    switch form {
    case .drawn:
      if drawnLines > 0 || !engine.snapshot().records.isEmpty { draw() }
    case .plain: tellPlainly(isLast: true)
    case .json, .none: break
    }
  }

  private func repeatDrawing() async {
    while !Task.isCancelled {
      if form == .drawn { draw() } else { tellPlainly(isLast: false) }
      try? await Task.sleep(for: form == .drawn ? Self.frameInterval : Self.plainInterval)
    }
  }

  private func watchLoading(_ events: AsyncStream<EngineEvent>) async {
    for await event in events {
      switch event.kind {
      case .sourceLoading(let location, let entries):
        loading = "Reading \(Console.escaped(location)): \(entries) entries"
      case .recordAdded: loading = nil
      default: break
      }
    }
  }

  private func draw() {
    let size = Machine.terminalSize(2) ?? (columns: 80, rows: 24)
    let progress = engine.snapshot()
    var lines =
      progress.records.isEmpty
      ? [loading ?? "Reading..."]
      : ProgressLines.render(progress, columns: size.columns, rows: size.rows)
    lines = lines.map { CellWidth.fit($0, max(1, size.columns - 1)) }
    // Up to the first line of the last frame; each line is cleared as it is written.
    var text = drawnLines > 0 ? "\u{1b}[\(drawnLines)A" : ""
    for line in lines { text += "\r\u{1b}[K\(line)\n" }
    if lines.count < drawnLines { text += "\u{1b}[J" }
    drawnLines = lines.count
    Console.write(text, to: 2)
  }

  private func tellPlainly(isLast: Bool) {
    for line in plain.lines(engine.snapshot(), isLast: isLast) { console.note(line) }
  }

  private func printEvents(_ events: AsyncStream<EngineEvent>) async {
    for await event in events {
      console.print(JSONOutput.line(EventLine(event)))
    }
  }
}
