import CTerminal
import Glibc
import SystemCalls

/// The terminal as the kernel has it: modes, size, bytes. Opened again, so that not to wait
/// (`O_NONBLOCK`) is our own setting and not that of the shell, which shares its descriptors.
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

  /// A signal that ends the process gives the terminal back from now on.
  /// - Parameter noticesInterrupts: SIGINT, SIGTERM and SIGHUP are notices as well, and end nothing.
  func arm(
    farewell: [UInt8], notices: OwnedDescriptor, noticesInterrupts: Bool = false
  ) throws(TerminalError) {
    var modes = former
    let code = imgdl_terminal_arm(
      descriptor.raw, &modes, farewell, farewell.count, notices.raw, noticesInterrupts ? 1 : 0)
    guard code == 0 else { throw TerminalError(.system, cause: .last("watch for signals")) }
  }

  /// Gives the terminal back; signals mean what they did before.
  static func disarm() { imgdl_terminal_disarm() }

  /// Every key comes at once and as it is; nothing is shown by itself.
  func makeRaw() throws(TerminalError) {
    var modes = former
    cfmakeraw(&modes)
    guard tcsetattr(descriptor.raw, TCSANOW, &modes) == 0 else {
      throw TerminalError(.system, cause: .last("set the modes of the terminal"))
    }
  }

  /// Lines are edited and keys send signals as ever, but nothing that is typed is shown. What was typed before
  /// is discarded: it was shown.
  /// - Throws: for a terminal that is another program's now, and never becomes ours.
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

  /// Whether what is typed is shown now, whoever decided that.
  var showsInput: Bool {
    var modes = termios()
    return tcgetattr(descriptor.raw, &modes) == 0 && modes.c_lflag & tcflag_t(ECHO) != 0
  }

  struct Dimensions: Equatable {
    var cells: Size
    /// Of one cell; nil where the terminal does not tell the kernel.
    var cellPixels: PixelSize?
  }

  /// 80 × 24 where the terminal has no size.
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
    case gone
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
    let count = Glibc.read(descriptor.raw, buffer.baseAddress, buffer.count)
    if count > 0 { return .bytes(count) }
    if count < 0, errno == EAGAIN || errno == EINTR { return .nothing }
    return .gone
  }

  /// Bytes that the terminal took: 0 when it is not ready, nil when it is gone.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let count = Glibc.write(descriptor.raw, bytes.baseAddress, bytes.count)
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }
}
