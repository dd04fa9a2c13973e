import CTerminal
import Glibc
import SystemCalls

/// The terminal as a kernel device: modes, size and bytes. The terminal is opened again, so that `O_NONBLOCK`
/// does not affect the shell, with which the process shares its descriptors.
final class TerminalDevice: Sendable {
  let descriptor: OwnedDescriptor
  private let former: termios

  init(_ given: Int32?) throws(TerminalError) {
    let path = given.map { "/proc/self/fd/\($0)" } ?? "/dev/tty"
    let raw = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard raw >= 0 else {
      throw TerminalError(.noTerminal, cause: .last("open", path: given == nil ? path : nil))
    }
    descriptor = OwnedDescriptor(raw)
    var modes = termios()
    guard tcgetattr(raw, &modes) == 0 else {
      throw TerminalError(.noTerminal, cause: .last("ask the terminal for its modes"))
    }
    former = modes
  }

  /// Installs signal handlers that restore the terminal before a signal ends the process.
  /// - Parameter noticesInterrupts: Whether SIGINT, SIGTERM and SIGHUP are also written to `notices` and no
  ///   longer end the process.
  func arm(
    farewell: [UInt8], notices: OwnedDescriptor, noticesInterrupts: Bool = false
  ) throws(TerminalError) {
    var modes = former
    let code = imgdl_terminal_arm(
      descriptor.raw, &modes, farewell, farewell.count, notices.raw, noticesInterrupts ? 1 : 0)
    guard code == 0 else { throw TerminalError(.system, cause: .last("watch for signals")) }
  }

  /// Restores the terminal and the former signal handlers.
  static func disarm() { imgdl_terminal_disarm() }

  /// Sets raw mode: keys arrive at once and unprocessed, and the kernel does not echo them.
  func makeRaw() throws(TerminalError) {
    var modes = former
    cfmakeraw(&modes)
    guard tcsetattr(descriptor.raw, TCSANOW, &modes) == 0 else {
      throw TerminalError(.system, cause: .last("set the modes of the terminal"))
    }
  }

  /// Disables the echo, but keeps line editing and keys that send signals. Discards input that was echoed
  /// before.
  /// - Throws: An error if the terminal belongs to another process and cannot be acquired.
  func hideInput() throws(TerminalError) {
    var modes = former
    modes.c_lflag |= tcflag_t(ICANON | ISIG)
    modes.c_lflag &= ~tcflag_t(ECHO | ECHONL)
    while tcsetattr(descriptor.raw, TCSAFLUSH, &modes) != 0 {
      guard errno == EINTR else {
        throw TerminalError(.noTerminal, cause: .last("set the modes of the terminal"))
      }
    }
  }

  /// Whether the terminal echoes input at present, which another process may have changed.
  var showsInput: Bool {
    var modes = termios()
    return tcgetattr(descriptor.raw, &modes) == 0 && modes.c_lflag & tcflag_t(ECHO) != 0
  }

  struct Dimensions: Equatable {
    var cells: Size
    /// The size of a cell in pixels; nil if the terminal does not report it to the kernel.
    var cellPixels: PixelSize?
  }

  /// The size of the terminal; 80 × 24 if the terminal reports none.
  var dimensions: Dimensions {
    var columns: Int32 = 0
    var rows: Int32 = 0
    var width: Int32 = 0
    var height: Int32 = 0
    _ = imgdl_terminal_size(descriptor.raw, &columns, &rows, &width, &height)
    guard columns > 0, rows > 0 else { return Dimensions(cells: Size(80, 24)) }
    let cells = Size(Int(columns), Int(rows))
    let pixels = PixelSize(Int(width) / cells.columns, Int(height) / cells.rows)
    let isKnown = pixels.width > 1 && pixels.height > 1
    return Dimensions(cells: cells, cellPixels: isKnown ? pixels : nil)
  }

  enum Reading {
    case bytes(Int)
    case nothing
    case disconnected
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
    let count = Glibc.read(descriptor.raw, buffer.baseAddress, buffer.count)
    if count > 0 { return .bytes(count) }
    if count < 0, errno == EAGAIN || errno == EINTR { return .nothing }
    return .disconnected
  }

  /// Writes bytes.
  /// - Returns: The number of bytes that the terminal has accepted: 0 if it is not ready, nil if it has been
  ///   closed.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let count = Glibc.write(descriptor.raw, bytes.baseAddress, bytes.count)
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }
}
