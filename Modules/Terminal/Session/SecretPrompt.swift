import CTerminal
import Glibc
import SystemCalls
import Threading

/// Asks on the terminal of the process for a line that is not shown while it is typed.
///
/// Keys mean what they mean in a shell: Ctrl-C interrupts, Ctrl-Z stops the program, Ctrl-D ends the input. On
/// every way out, also by a signal, the terminal gets the modes back that it had. getpass(3) does none of that.
public enum SecretPrompt {
  public enum Answer: Sendable, Equatable {
    case line(String)
    /// Ctrl-D at the beginning, or a line that is not UTF-8.
    case nothing
    /// Ctrl-C, SIGTERM, or the end of the terminal.
    case interrupted
  }

  /// Waits on a thread of its own. Not while a `TerminalSession` is open.
  /// - Parameter question: written as it is; control characters are the caller's affair.
  /// - Throws: `.noTerminal` for a process that has none, or does not have it in the foreground.
  public static func ask(_ question: String) async throws(TerminalError) -> Answer {
    do {
      return try await BlockingThread.run("secret-prompt") {
        try Conversation(question).run()
      }
    } catch let error as TerminalError {
      throw error
    } catch {
      throw TerminalError(.system, cause: error as? SystemError)
    }
  }
}

/// One question and its answer, on a thread that may block.
private final class Conversation {
  private let question: String
  private let device: TerminalDevice
  /// Numbers of signals.
  private let notices: OwnedDescriptor
  private let noticed: OwnedDescriptor
  /// What was typed; cleared when this goes.
  private let typed = UnsafeMutableRawBufferPointer.allocate(byteCount: 8 << 10, alignment: 16)
  private var length = 0

  private enum Event {
    case input
    case suspend
    case resume
    case interrupt
  }

  init(_ question: String) throws {
    self.question = question
    device = try TerminalDevice(nil)
    (notices, noticed) = try Channels.pipe()
    for end in [notices, noticed] { _ = fcntl(end.raw, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    forget()
    typed.deallocate()
  }

  private func forget() {
    if let bytes = typed.baseAddress { explicit_bzero(bytes, typed.count) }
    length = 0
  }

  func run() throws -> SecretPrompt.Answer {
    try device.arm(farewell: [], notices: noticed, noticesInterrupts: true)
    defer { TerminalDevice.disarm() }
    try begin()
    while true {
      switch try nextEvent() {
      case .input:
        if let answer = try read() {
          write("\n")
          return answer
        }
      case .interrupt:
        write("\n")
        return .interrupted
      case .suspend:
        imgdl_terminal_restore()
        imgdl_terminal_stop()
        imgdl_terminal_rearm()
        try begin()
      // Whoever stopped us from outside may have changed the modes.
      case .resume: if device.showsInput { try begin() }
      }
    }
  }

  /// Hides what is typed from now on, and asks. A program in the background is stopped here until it is in the
  /// foreground, as every program that takes the terminal: for that the signals must not be blocked.
  private func begin() throws {
    forget()
    try withoutBlocking([SIGTTOU, SIGTTIN]) { try device.hideInput() }
    write(question)
  }

  private func withoutBlocking(_ signals: [Int32], _ body: () throws -> Void) throws {
    var set = sigset_t()
    var former = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_UNBLOCK, &set, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    try body()
  }

  private func nextEvent() throws -> Event {
    while true {
      var polled = [
        pollfd(fd: notices.raw, events: Int16(POLLIN), revents: 0),
        pollfd(fd: device.descriptor.raw, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 2, -1) >= 0 || errno == EINTR else {
        throw SystemError.last("wait for the terminal")
      }
      if polled[0].revents != 0, let event = takeNotices() { return event }
      if polled[1].revents != 0 { return .input }
    }
  }

  private func takeNotices() -> Event? {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(notices.raw, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let signals = Set(bytes[..<count].map(Int32.init))
    if !signals.isDisjoint(with: [SIGINT, SIGTERM, SIGHUP]) { return .interrupt }
    if signals.contains(SIGTSTP) { return .suspend }
    return signals.contains(SIGCONT) ? .resume : nil
  }

  /// - Returns: nil until the line is whole.
  private func read() throws -> SecretPrompt.Answer? {
    let room = UnsafeMutableRawBufferPointer(rebasing: typed[length...])
    var result: TerminalDevice.Reading?
    try withoutBlocking([SIGTTOU, SIGTTIN]) { result = device.read(into: room) }
    switch result {
    case .nothing, nil: return nil
    // Nobody can type any more; Ctrl-D behind something ends the line, as in a shell's `read`.
    case .gone: return length == 0 ? .nothing : line()
    case .bytes(let count):
      length += count
      let isWhole = typed[length - 1] == UInt8(ascii: "\n")
      return isWhole || length == typed.count ? line() : nil
    }
  }

  private func line() -> SecretPrompt.Answer {
    let bytes = typed[..<length].prefix { $0 != UInt8(ascii: "\n") }
    return String(validating: bytes, as: UTF8.self).map { .line($0) } ?? .nothing
  }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      guard let count = bytes.withUnsafeBytes({ device.write($0) }) else { return }
      bytes = bytes.dropFirst(count)
      if count == 0 {
        var polled = pollfd(fd: device.descriptor.raw, events: Int16(POLLOUT), revents: 0)
        // A terminal that does not take a question for so long does not take it at all.
        guard poll(&polled, 1, 500) > 0 else { return }
      }
    }
  }
}
