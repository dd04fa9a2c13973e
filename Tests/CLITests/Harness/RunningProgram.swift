import CLinux
import Dispatch
import Glibc
import Synchronization
import SystemCalls
import Threading

/// A program that a test has started: with pipes, or in a terminal of its own.
final class RunningProgram: Sendable {
  /// How it ended and what it said.
  struct Ending: Sendable {
    /// nil if a signal ended it.
    let code: Int32?
    let signal: Int32?
    let output: String
    /// Empty in a terminal: everything is output there.
    let errors: String
    let seconds: Double
    /// It was killed because it did not end by itself.
    let isTimedOut: Bool
  }

  struct Command {
    var path: String
    var arguments: [String]
    var environment: [String: String]
    var folder: String?
    /// nil: /dev/null.
    var input: [UInt8]?
    /// Standard input is a pipe that stays open.
    var keepsInputOpen = false
    /// Columns and rows.
    var terminal: (columns: Int, rows: Int)?
    /// Signals that are ignored when it starts.
    var ignoring: [Int32] = []
  }

  private struct State {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    var openStreams = 0
    var status: Int32?
    var wasKilled = false
    var waiters: [(id: Int, isReady: @Sendable (State) -> Bool, Waiter)] = []
    var nextWaiter = 0

    /// Whether the program has ended, and all that it wrote has been read.
    var isOver: Bool { status != nil && openStreams == 0 }
  }

  private typealias Waiter = CheckedContinuation<Bool, Never>

  let process: pid_t
  private let state = Mutex(State())
  private let started = Machine.monotonicNanoseconds
  /// The terminal, or the pipe to standard input.
  private let input: OwnedDescriptor?

  init(_ command: Command) throws {
    // A program that has ended must not end its test with it.
    Glibc.signal(SIGPIPE, SIG_IGN)
    var launch = try Launch(command)
    process = try launch.start()
    input = launch.input
    let streams = launch.streams
    state.withLock { $0.openStreams = streams.count }
    for (index, stream) in streams.enumerated() {
      try BlockingThread("test-read") { [self] in read(stream, isErrors: index == 1) }
    }
    try BlockingThread("test-wait") { [self] in reap() }
    if let bytes = command.input, let input {
      try BlockingThread("test-write") {
        try? input.write(all: bytes.span.bytes)
        if !command.keepsInputOpen { input.close() }
      }
    }
  }

  /// What it has said so far.
  var output: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }
  var errors: String { state.withLock { String(decoding: $0.errors, as: UTF8.self) } }
  var isRunning: Bool { state.withLock { $0.status == nil } }
  /// nil while it runs.
  var exitCode: Int32? { state.withLock { $0.status.map { imgdl_exit_code($0) } } }

  /// Types into the terminal, or writes to standard input.
  func type(_ text: String) throws {
    try input?.write(all: Array(text.utf8).span.bytes)
  }

  /// Sends a signal. Harmless when it has ended.
  func signal(_ number: Int32) {
    state.withLock { if $0.status == nil { kill(process, number) } }
  }

  /// Changes the size of its terminal, as a window manager does.
  func resize(columns: Int, rows: Int) {
    if let input { _ = imgdl_set_terminal_size(input.raw, Int32(columns), Int32(rows)) }
  }

  /// Returns when its output and errors fulfil the condition, even if they do so for a moment only.
  /// - Returns: false if it has ended before, or the time is over.
  func waits(
    atMost seconds: Double = 20, until condition: @escaping @Sendable (String) -> Bool
  ) async -> Bool {
    await moment(atMost: seconds, when: condition) != nil
  }

  /// Returns its output and errors as they are at the first moment at which they fulfil the condition.
  /// - Returns: nil if it has ended before, or the time is over.
  func moment(
    atMost seconds: Double = 20, when condition: @escaping @Sendable (String) -> Bool
  ) async -> String? {
    let moment = Moment()
    _ = await wait(atMost: seconds) { state in
      let text = String(decoding: state.output + state.errors, as: UTF8.self)
      guard condition(text) else { return state.isOver }
      moment.text.withLock { $0 = text }
      return true
    }
    return moment.text.withLock { $0 }
  }

  private final class Moment: Sendable {
    let text = Mutex<String?>(nil)
  }

  /// Returns when something outside of it has happened, which is looked for every few milliseconds.
  /// - Returns: false if the program has ended before, or the time is over.
  func waits(
    atMost seconds: Double = 20, for event: @escaping @Sendable () -> Bool
  ) async -> Bool {
    let beat = DispatchSource.makeTimerSource()
    beat.setEventHandler { [self] in if event() { change { _ in } } }
    beat.schedule(deadline: .now(), repeating: .milliseconds(5))
    beat.activate()
    defer { beat.cancel() }
    _ = await wait(atMost: seconds) { $0.status != nil || event() }
    return event()
  }

  /// Waits for the end; kills it if that takes too long.
  func ending(atMost seconds: Double = 30) async -> Ending {
    if await !wait(atMost: seconds, until: { $0.isOver }) {
      state.withLock { state in
        state.wasKilled = true
        if state.status == nil { kill(process, SIGKILL) }
      }
      _ = await wait(atMost: 5) { $0.isOver }
    }
    return state.withLock { state in
      let status = state.status ?? 0
      let signal = imgdl_exit_signal(status)
      return Ending(
        code: signal == 0 ? imgdl_exit_code(status) : nil, signal: signal == 0 ? nil : signal,
        output: String(decoding: state.output, as: UTF8.self),
        errors: String(decoding: state.errors, as: UTF8.self),
        seconds: Double(Machine.monotonicNanoseconds - started) / 1e9,
        isTimedOut: state.wasKilled)
    }
  }

  private func wait(
    atMost seconds: Double, until isReady: @escaping @Sendable (State) -> Bool
  ) async -> Bool {
    await withCheckedContinuation { waiter in
      let number: Int? = state.withLock { state in
        if isReady(state) { return nil }
        state.nextWaiter += 1
        state.waiters.append((state.nextWaiter, isReady, waiter))
        return state.nextWaiter
      }
      guard let number else { return waiter.resume(returning: true) }
      DispatchQueue.global().asyncAfter(deadline: .now() + max(seconds, 300)) { [self] in
        let late = state.withLock { state in
          let late = state.waiters.first { $0.id == number }?.2
          state.waiters.removeAll { $0.id == number }
          return late
        }
        late?.resume(returning: false)
      }
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let ready = state.withLock { state in
      body(&state)
      var ready: [Waiter] = []
      var others: [(id: Int, isReady: @Sendable (State) -> Bool, Waiter)] = []
      for waiter in state.waiters {
        if waiter.isReady(state) { ready.append(waiter.2) } else { others.append(waiter) }
      }
      state.waiters = others
      return ready
    }
    for waiter in ready { waiter.resume(returning: true) }
  }

  private func read(_ stream: OwnedDescriptor, isErrors: Bool) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    defer { buffer.deallocate() }
    // The end of a terminal is an error (EIO).
    while let count = try? stream.read(into: buffer), count > 0 {
      change { state in
        if isErrors { state.errors += buffer[..<count] } else { state.output += buffer[..<count] }
      }
    }
    change { $0.openStreams -= 1 }
  }

  private func reap() {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    change { $0.status = status }
  }
}
