import CommandLine
import Glibc
import Models
import ProgramSupport
import SystemCalls

/// Standard output for data, standard error for messages.
struct Console: Sendable {
  let isQuiet: Bool
  let usesColor: Bool
  /// How the program ends when nobody reads its data any more (`imgdl-cli list | head -1`); nil means it
  /// continues.
  private(set) var unread: ExitCode? = .done

  static let program = "imgdl-cli"

  init(isQuiet: Bool = false, usesColor: Bool = false) {
    self.isQuiet = isQuiet
    self.usesColor = usesColor
  }

  /// For a command that has more to say than its data: by its exit code.
  func unread(_ code: ExitCode?) -> Console {
    var console = self
    console.unread = code
    return console
  }

  /// Data, with a line end. A reader that has gone ends the program quietly; an output that cannot be
  /// written (a full disk) ends it with a message.
  func print(_ line: String) { printText(line + "\n") }

  /// Data that ends with a line end.
  func printText(_ text: String) {
    if !Self.write(text, to: 1) { cannotPrint() }
  }

  /// A sentence among the data: on a terminal it is broken between words, elsewhere it is a line.
  /// - Parameter indent: spaces before each further line.
  func printSentence(_ text: String, indent: Int = 2) {
    guard let columns = Self.columns(1) else { return print(text) }
    for line in CellWidth.wrap(text, columns, indent: indent) { print(line) }
  }

  /// The width of a terminal; nil for another output, where nothing is cut or broken.
  static func columns(_ descriptor: Int32) -> Int? {
    Machine.isTerminal(descriptor) ? Machine.terminalSize(descriptor)?.columns : nil
  }

  private func cannotPrint() {
    if errno == EPIPE {
      guard let unread else { return }
      _exit(unread.rawValue)
    }
    complain(SystemError.last("write to", path: "standard output").description)
    _exit(ExitCode.disk.rawValue)
  }

  /// Data in portions; the same as `printText` for an output that cannot be written.
  func printBytes(_ bytes: [UInt8]) {
    if !bytes.withUnsafeBytes({ Self.write($0, to: 1) }) { cannotPrint() }
  }

  /// - Returns: whether it was written; `errno` says why not.
  func tryPrint(_ line: String) -> Bool { Self.write(line + "\n", to: 1) }

  /// A message that `--quiet` hides.
  func note(_ line: String) {
    if !isQuiet { Self.write(CredentialMask.masked(line) + "\n", to: 2) }
  }

  /// The same for a sentence, which a terminal gets broken between words.
  func noteSentence(_ text: String) {
    guard let columns = Self.columns(2) else { return note(text) }
    for line in CellWidth.wrap(text, columns) { note(line) }
  }

  /// What went wrong; never hidden.
  func complain(_ message: String) { Self.write(complaint(message) + "\n", to: 2) }

  /// A complaint as it is written, without its line end.
  func complaint(_ message: String) -> String {
    let prefix = usesColor ? "\u{1b}[31m\(Self.program):\u{1b}[0m" : "\(Self.program):"
    return "\(prefix) \(Self.escaped(message))"
  }

  /// A command line that was not understood. The error begins with the program's name.
  func refuse(_ error: UsageError) {
    Self.write("\(Self.escaped(error.description))\n\(error.hint)\n", to: 2)
  }

  /// Writes everything. Messages that nobody can read are nobody's problem; see `print` for data.
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

  /// Names and texts for people: control and direction characters are made visible, so that they cannot
  /// steer a terminal, and credentials in URLs are hidden.
  static func escaped(_ text: some StringProtocol) -> String {
    // Nearly every text is harmless: one look at its bytes.
    if text.octetsSatisfy({ (0x20...0x7e).contains($0) && $0 != 0x40 }) { return String(text) }
    return visible(CredentialMask.masked(String(text)))
  }

  /// A text with control and direction characters made visible.
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

  /// Control characters, line separators, and what turns the direction of writing.
  static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
