import CLinux
import CommandLine
import Glibc
import Models
import ProgramSupport
import SystemCalls

/// Writes data to standard output and messages to standard error.
struct Console: Sendable {
  let isQuiet: Bool
  let usesColor: Bool
  /// The exit code with which the program ends when the reader of its data has closed the pipe, as in
  /// `imgdl-cli list | head -1`; nil if the program continues.
  private(set) var brokenPipeExitCode: ExitCode? = .success

  static let program = "imgdl-cli"

  init(isQuiet: Bool = false, usesColor: Bool = false) {
    self.isQuiet = isQuiet
    self.usesColor = usesColor
  }

  /// Returns a console with another `brokenPipeExitCode`, for commands whose exit code has a meaning of its
  /// own.
  func exitingOnBrokenPipe(with code: ExitCode?) -> Console {
    var console = self
    console.brokenPipeExitCode = code
    return console
  }

  /// Prints a line of data. The program ends without a message if the reader has closed the pipe, and with a
  /// message if the output cannot be written (a full disk).
  /// - Returns: False if the reader has closed the pipe and the console was made not to exit then.
  @discardableResult func print(_ line: String) -> Bool { printText(line + "\n") }

  /// Prints data that already ends with a line end.
  /// - Returns: False if the reader has closed the pipe and the console was made not to exit then.
  @discardableResult func printText(_ text: String) -> Bool {
    if Self.write(text, to: 1) { return true }
    cannotPrint()
    return false
  }

  /// Prints a sentence to standard output: broken between words on a terminal, otherwise as a single line.
  /// - Parameter indent: The number of spaces before each line except the first.
  func printSentence(_ text: String, indent: Int = 2) {
    let lines = Self.columns(1).map { CellWidth.wrap(text, $0, indent: indent) }
    for line in lines ?? [text] { print(line) }
  }

  /// The width of a terminal in cells; nil for other outputs, in which lines are neither cut nor broken.
  static func columns(_ descriptor: Int32) -> Int? {
    Machine.isTerminal(descriptor) ? Machine.terminalSize(descriptor)?.columns : nil
  }

  private func cannotPrint() {
    if errno == EPIPE {
      guard let brokenPipeExitCode else { return }
      _exit(brokenPipeExitCode.rawValue)
    }
    printError(SystemError.last("write to", path: "standard output").description)
    _exit(ExitCode.disk.rawValue)
  }

  /// Prints bytes of data. The program ends like in `printText` if the output cannot be written.
  func printBytes(_ bytes: [UInt8]) {
    if !bytes.withUnsafeBytes({ Self.write($0, to: 1) }) { cannotPrint() }
  }

  /// Prints a line of data.
  /// - Returns: Whether the line was written; if not, `errno` has the reason.
  func tryPrint(_ line: String) -> Bool { Self.write(line + "\n", to: 1) }

  /// Prints a message, unless `--quiet` is given.
  func printNote(_ line: String) {
    if !isQuiet { Self.write(CredentialMask.masked(line) + "\n", to: 2) }
  }

  /// Prints a message like `printNote`, broken between words on a terminal.
  func printWrappedNote(_ text: String) {
    guard let columns = Self.columns(2) else { return printNote(text) }
    for line in CellWidth.wrap(text, columns) { printNote(line) }
  }

  /// Prints an error message, even with `--quiet`.
  func printError(_ message: String) { Self.write(errorLine(message) + "\n", to: 2) }

  /// Prints an error message before the program ends at once. It is omitted if standard error would make the program
  /// wait, as a stopped terminal does.
  static func printLastError(_ message: String) {
    var entry = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
    if poll(&entry, 1, 0) == 1, entry.revents & Int16(POLLOUT) != 0 {
      write("\(program): \(message)\n", to: 2)
    }
  }

  /// Returns the text of an error message without its line end.
  func errorLine(_ message: String) -> String {
    let prefix = usesColor ? "\u{1b}[31m\(Self.program):\u{1b}[0m" : "\(Self.program):"
    return "\(prefix) \(Self.escaped(message))"
  }

  /// Prints an error of the command line, whose description begins with the program's name, and a hint.
  func refuse(_ error: UsageError) {
    Self.write("\(Self.escaped(error.description))\n\(error.hint)\n", to: 2)
  }

  /// Writes the whole text. Callers that write messages ignore the result; see `print` for data.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var left = bytes
    while !left.isEmpty {
      let count = Glibc.write(descriptor, left.baseAddress, left.count)
      if count < 0 {
        if errno == EINTR { continue }
        return false
      }
      left = UnsafeRawBufferPointer(rebasing: left[count...])
    }
    return true
  }

  /// Returns a name or text for people: control and direction characters are made visible, so that they
  /// cannot control a terminal, and credentials in URLs are masked.
  static func escaped(_ text: some StringProtocol) -> String {
    // Nearly all texts are ASCII without control characters and `@`, which need no escaping.
    if text.utf8Satisfies({ (0x20...0x7e).contains($0) && $0 != 0x40 }) { return String(text) }
    return visible(CredentialMask.masked(String(text)))
  }

  /// Returns the text with control and direction characters as visible escapes: a line feed becomes `\u{a}`.
  static func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isDangerous) else { return text }
    var output = ""
    for scalar in text.unicodeScalars {
      if isDangerous(scalar) {
        output += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  /// Whether a scalar is a control character, a line separator, or changes the direction of writing.
  static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
