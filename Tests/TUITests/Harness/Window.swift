import CLinux
import Dispatch
import Glibc
import Synchronization
import SystemCalls
import Testing
import Threading
import WorkerProcess

/// `imgdl-tui` in a terminal of its own, as a person has it: keys and mouse in, a screen out.
final class Window: Sendable {
  /// What is on the screen.
  struct Shown: Sendable {
    let lines: [String]
    let cells: [[String]]
    /// Of each cell, as 0xRRGGBB.
    let backgrounds: [[UInt32]]
    /// The program has not ended.
    let isRunning: Bool

    /// Cells that show the colour of a picture, or nearly that.
    func count(ofBackground isIt: (_ red: UInt32, _ green: UInt32, _ blue: UInt32) -> Bool) -> Int {
      backgrounds.reduce(0) { sum, row in
        sum + row.count { isIt($0 >> 16, $0 >> 8 & 255, $0 & 255) }
      }
    }

    var text: String { lines.joined(separator: "\n") }

    func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

    /// Where a text begins.
    func find(_ text: String) -> (column: Int, row: Int)? {
      for (row, cells) in cells.enumerated() {
        for column in cells.indices where cells[column...].joined().hasPrefix(text) {
          return (column, row)
        }
      }
      return nil
    }
  }

  private struct State: ~Copyable {
    var screen: VirtualScreen
    var status: Int32?
    var isClosed = false
    /// Bytes that the program has written.
    var bytes = 0
    var waiters: [(id: Int, isReady: @Sendable (Shown) -> Bool, CheckedContinuation<Bool, Never>)] =
      []
    var nextWaiter = 0
  }

  let process: pid_t
  private let state: Mutex<State>
  private let terminal: OwnedDescriptor

  /// - Parameters:
  ///   - script: of `sh`, in which `"$0" "$@"` is the program; nil: the program alone.
  ///   - colour: the background that the terminal tells when it is asked, as X11 writes colours.
  init(
    _ rig: Rig, arguments: [String] = [], columns: Int = 80, rows: Int = 24,
    environment: [String: String] = [:], background: String = "off", script: String? = nil,
    colour: String? = nil
  ) throws {
    Glibc.signal(SIGPIPE, SIG_IGN)
    let program = try HelperLocator().path(of: "imgdl-tui")
    let words = ["--set", "background=\(background)"] + arguments
    var launch = try Launch(
      RunningProgram.Command(
        path: script == nil ? program : "/bin/sh",
        arguments: script.map { ["-c", $0, program] + words } ?? words,
        environment: rig.environment.merging(["COLORTERM": "truecolor"]) { $1 }
          .merging(environment) { $1 }, folder: rig.root,
        terminal: (columns, rows)))
    process = try launch.start()
    guard let terminal = launch.streams.first else { throw VirtualScreen.NoMemory() }
    self.terminal = terminal
    let screen = try VirtualScreen(columns: columns, rows: rows, background: colour)
    state = Mutex(State(screen: screen))
    try BlockingThread("window-read") { [self] in read() }
    try BlockingThread("window-wait") { [self] in reap() }
  }

  // MARK: - What a person does

  func type(_ text: String) throws { try terminal.write(all: Array(text.utf8).span.bytes) }

  enum Key: String {
    case enter = "\r"
    case escape = "\u{1b}"
    case tab = "\t"
    case up = "\u{1b}[A"
    case down = "\u{1b}[B"
    case right = "\u{1b}[C"
    case left = "\u{1b}[D"
    case home = "\u{1b}[H"
    case end = "\u{1b}[F"
    case pageDown = "\u{1b}[6~"
    case pageUp = "\u{1b}[5~"
    case controlC = "\u{3}"
    case controlL = "\u{c}"
    case controlZ = "\u{1a}"
  }

  func press(_ key: Key) throws { try type(key.rawValue) }

  func paste(_ text: String) throws { try type("\u{1b}[200~\(text)\u{1b}[201~") }

  func mouseDown(_ place: (column: Int, row: Int)) throws {
    try type("\u{1b}[<0;\(place.column + 1);\(place.row + 1)M")
  }

  func mouseUp(_ place: (column: Int, row: Int)) throws {
    try type("\u{1b}[<0;\(place.column + 1);\(place.row + 1)m")
  }

  func drag(_ place: (column: Int, row: Int)) throws {
    try type("\u{1b}[<32;\(place.column + 1);\(place.row + 1)M")
  }

  func wheel(up: Bool, _ place: (column: Int, row: Int) = (5, 5)) throws {
    try type("\u{1b}[<\(up ? 64 : 65);\(place.column + 1);\(place.row + 1)M")
  }

  /// Clicks on a text that is on the screen.
  func click(_ text: String) throws {
    let place = try #require(shown.find(text), "\(text) is not on the screen:\n\(shown.text)")
    try mouseDown(place)
    try mouseUp(place)
  }

  func resize(columns: Int, rows: Int) {
    state.withLock { $0.screen.resize(columns: columns, rows: rows) }
    _ = imgdl_set_terminal_size(terminal.raw, Int32(columns), Int32(rows))
  }

  /// Another program writes to the same terminal.
  func disturb(_ text: String) {
    state.withLock { _ = $0.screen.write(Array(text.utf8)) }
    tell()
  }

  func signal(_ number: Int32) {
    state.withLock { if $0.status == nil { kill(process, number) } }
  }

  /// The window is closed: the terminal is gone.
  func close() {
    state.withLock { $0.isClosed = true }
    kill(process, SIGHUP)
  }

  // MARK: - What a person sees

  var shown: Shown { state.withLock { Self.shown($0) } }
  var bytes: Int { state.withLock { $0.bytes } }
  var isRunning: Bool { state.withLock { $0.status == nil } }

  private static func shown(_ state: borrowing State) -> Shown {
    let cells = state.screen.cells
    let lines = cells.map { row in
      var line = row.joined()
      while line.last == " " { line.removeLast() }
      return line
    }
    return Shown(
      lines: lines, cells: cells, backgrounds: state.screen.backgrounds,
      isRunning: state.status == nil)
  }

  /// Returns when the text is on the screen; fails the test if it does not come.
  func shows(
    _ text: String, atMost seconds: Double = 300,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await shows(text, atMost: seconds, sourceLocation: sourceLocation) { $0.contains(text) }
  }

  /// Returns when the text is not on the screen any more.
  func hides(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async {
    await shows("no \(text)", sourceLocation: sourceLocation) { !$0.contains(text) }
  }

  func shows(
    _ what: String, atMost seconds: Double = 300,
    sourceLocation: SourceLocation = #_sourceLocation,
    until condition: @escaping @Sendable (Shown) -> Bool
  ) async {
    if await wait(atMost: seconds, until: condition) { return }
    let shown = shown
    let colours = Set(shown.backgrounds.joined()).map { String($0, radix: 16) }.sorted()
    Issue.record(
      "never saw: \(what)\n\(shown.text)\nbackgrounds: \(colours)",
      sourceLocation: sourceLocation)
  }

  /// Returns when something outside has happened, which is looked for every few milliseconds.
  func waits(
    atMost seconds: Double = 300, for event: @escaping @Sendable () -> Bool
  ) async -> Bool {
    let beat = DispatchSource.makeTimerSource()
    beat.setEventHandler { [self] in if event() { tell() } }
    beat.schedule(deadline: .now(), repeating: .milliseconds(5))
    beat.activate()
    defer { beat.cancel() }
    return await wait(atMost: seconds) { _ in event() }
  }

  /// Waits for the end; kills it if that takes too long.
  /// - Returns: its exit code; nil if a signal ended it.
  func ending(atMost seconds: Double = 300) async -> Int32? {
    if await !wait(atMost: seconds, until: { !$0.isRunning }) {
      signal(SIGKILL)
      _ = await wait(atMost: 5) { !$0.isRunning }
    }
    let status = state.withLock { $0.status ?? 0 }
    return imgdl_exit_signal(status) == 0 ? imgdl_exit_code(status) : nil
  }

  /// Quits, and confirms a question if there is one.
  func quit() async {
    guard isRunning else { return }
    try? press(.controlC)
    if await !wait(atMost: 5, until: { $0.contains("Quit now?") || !$0.isRunning }) {
      signal(SIGTERM)
    }
    if isRunning { try? type("y") }
    _ = await ending()
  }

  private func wait(
    atMost seconds: Double, until isReady: @escaping @Sendable (Shown) -> Bool
  ) async -> Bool {
    await withCheckedContinuation { waiter in
      let number: Int? = state.withLock { state in
        if isReady(Self.shown(state)) { return nil }
        state.nextWaiter += 1
        state.waiters.append((state.nextWaiter, isReady, waiter))
        return state.nextWaiter
      }
      guard let number else { return waiter.resume(returning: true) }
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [self] in
        let late = state.withLock { state in
          let late = state.waiters.first { $0.id == number }?.2
          state.waiters.removeAll { $0.id == number }
          return late
        }
        late?.resume(returning: false)
      }
    }
  }

  private func tell() {
    let ready = state.withLock { state in
      guard !state.waiters.isEmpty else { return [CheckedContinuation<Bool, Never>]() }
      let shown = Self.shown(state)
      var ready: [CheckedContinuation<Bool, Never>] = []
      state.waiters.removeAll { waiter in
        guard waiter.isReady(shown) else { return false }
        ready.append(waiter.2)
        return true
      }
      return ready
    }
    for waiter in ready { waiter.resume(returning: true) }
  }

  private func read() {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    defer { buffer.deallocate() }
    // The end of a terminal is an error (EIO).
    while let count = try? terminal.read(into: buffer), count > 0 {
      let part = Array(buffer[..<count])
      let answer = state.withLock { state in
        state.bytes += part.count
        return state.screen.write(part)
      }
      if !answer.isEmpty { try? terminal.write(all: answer.span.bytes) }
      tell()
    }
  }

  private func reap() {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    state.withLock { $0.status = status }
    tell()
  }
}
