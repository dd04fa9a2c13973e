import CTerminal
import Glibc
import SystemCalls
import Threading

/// Prompts on the process's terminal for a line that is not echoed.
///
/// Keys have the same meaning as in a shell: Ctrl-C interrupts, Ctrl-Z stops the program, Ctrl-D ends the
/// input. The terminal's modes are restored in every case, also after a signal; getpass(3) does none of that.
public enum SecretPrompt {
  public enum Answer: Sendable, Equatable {
    case line(String)
    /// The user typed Ctrl-D at the beginning, or a line that is not UTF-8.
    case nothing
    /// The user typed Ctrl-C, or SIGTERM or the loss of the terminal (SIGHUP) ended the prompt.
    case interrupted
  }

  /// Asks a question on a thread of its own. Must not be called while a `TerminalSession` is open.
  /// - Parameter question: The text of the question. The caller must remove control characters.
  /// - Throws: `.noTerminal` if the process has no terminal, or is not in its foreground.
  public static func readAnswer(_ question: String) async throws(TerminalError) -> Answer {
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
  /// The read end of the pipe to which handlers write signals.
  private let signalReader: OwnedDescriptor
  private let signalWriter: OwnedDescriptor
  /// The characters typed so far; cleared when the object is destroyed.
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
    (signalReader, signalWriter) = try Channels.pipe()
    for end in [signalReader, signalWriter] { _ = fcntl(end.raw, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    wipe()
    typed.deallocate()
  }

  private func wipe() {
    if let bytes = typed.baseAddress { explicit_bzero(bytes, typed.count) }
    length = 0
  }

  func run() throws -> SecretPrompt.Answer {
    try device.arm(farewell: [], notices: signalWriter, noticesInterrupts: true)
    defer { TerminalDevice.disarm() }
    try disableEcho()
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
        try disableEcho()
      // While this process was stopped, another one may have changed the terminal's modes.
      case .resume: if device.showsInput { try disableEcho() }
      }
    }
  }

  /// Disables the echo and writes the question. A program in the background is stopped here until it is in
  /// the foreground, like every program that accesses the terminal; therefore SIGTTOU and SIGTTIN must not be
  /// blocked.
  private func disableEcho() throws {
    wipe()
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
        pollfd(fd: signalReader.raw, events: Int16(POLLIN), revents: 0),
        pollfd(fd: device.descriptor.raw, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 2, -1) >= 0 || errno == EINTR else {
        throw SystemError.last("wait for the terminal")
      }
      if polled[0].revents != 0, let event = readNotices() { return event }
      if polled[1].revents != 0 { return .input }
    }
  }

  private func readNotices() -> Event? {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(signalReader.raw, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let signals = Set(bytes[..<count].map(Int32.init))
    if !signals.isDisjoint(with: [SIGINT, SIGTERM, SIGHUP]) { return .interrupt }
    if signals.contains(SIGTSTP) { return .suspend }
    return signals.contains(SIGCONT) ? .resume : nil
  }

  /// Reads typed characters.
  /// - Returns: The answer, or nil until the line is complete.
  private func read() throws -> SecretPrompt.Answer? {
    let room = UnsafeMutableRawBufferPointer(rebasing: typed[length...])
    var result: TerminalDevice.Reading?
    try withoutBlocking([SIGTTOU, SIGTTIN]) { result = device.read(into: room) }
    switch result {
    case .nothing, nil: return nil
    // The input has ended. Ctrl-D after some characters ends the line, as in a shell's `read`.
    case .disconnected: return length == 0 ? .nothing : line()
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
        // The terminal is considered blocked after half a second.
        guard poll(&polled, 1, 500) > 0 else { return }
      }
    }
  }
}
