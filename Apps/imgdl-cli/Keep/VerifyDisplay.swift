import CommandLine
import Models
import ProgramSupport
import Synchronization
import SystemCalls
import Threading
import Verification

/// Prints bad files as they are found, above a line with the progress of the verification.
actor VerifyDisplay {
  private let context: Context
  private let isDrawn: Bool
  private let executor = BlockingExecutor("display")
  private let latest = Mutex(VerifyProgress())
  private var painter = FramePainter()
  private var failures = FailureReport()
  private var drawing: Task<Void, Never>?

  private static let interval = Duration.milliseconds(100)

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ context: Context) {
    self.context = context
    let isWanted = !context.console.isQuiet && !context.invocation.flag("no-progress")
    isDrawn = isWanted && Machine.isTerminal(2) && Machine.environment("TERM") != "dumb"
  }

  func start() {
    guard isDrawn, drawing == nil else { return }
    drawing = Task {
      while !Task.isCancelled {
        draw()
        try? await Task.sleep(for: Self.interval)
      }
    }
  }

  /// Stores the progress, which the next frame shows. Safe to call from any thread.
  nonisolated func update(_ progress: VerifyProgress) { latest.withLock { $0 = progress } }

  /// Prints a finding. If the reader of the output has closed the pipe, the program exits with the code of an
  /// interrupt, because the verification is incomplete.
  func printFinding(_ finding: VerifyFinding) {
    let isJSON = context.invocation.flag("json")
    let text = isJSON ? "" : VerifyLine.text(finding, context.layout)
    guard failures.add(text) || isJSON else { return }
    erase()
    context.console.exitingOnBrokenPipe(with: .interrupted).print(
      isJSON
        ? JSONOutput.line(VerifyLine(finding, context.layout))
        : text)
  }

  func stop() async {
    drawing?.cancel()
    await drawing?.value
    drawing = nil
    erase()
    if !context.invocation.flag("json"),
      let rest = failures.moreText(detailsIn: "verify --json lists them all")
    {
      context.console.exitingOnBrokenPipe(with: .interrupted).print(rest)
    }
  }

  private func erase() {
    if isDrawn { Console.write(painter.erase(columns: columns), to: 2) }
  }

  private func draw() {
    let progress = latest.withLock { $0 }
    Console.write(painter.paint([Self.line(progress, columns: columns)], columns: columns), to: 2)
  }

  private var columns: Int { Machine.terminalSize(2)?.columns ?? 80 }

  /// Returns the progress line. If files are read, the fraction is computed from bytes, because file sizes
  /// differ.
  static func line(_ progress: VerifyProgress, columns: Int) -> String {
    let fraction =
      progress.totalBytes > 0
      ? Double(progress.bytes) / Double(progress.totalBytes)
      : Double(progress.files) / Double(max(1, progress.totalFiles))
    var text =
      "Checking \(ProgressLines.bar(fraction, 20)) \(progress.files)/\(progress.totalFiles)"
    if progress.totalBytes > 0 {
      text += "  \(ByteText.short(progress.bytes)) of \(ByteText.short(progress.totalBytes))"
    }
    return CellWidth.fit(text, max(1, columns - 1))
  }
}
