import Glibc
import SystemCalls

/// Standard output for data, standard error for messages.
struct Console: Sendable {
  let isQuiet: Bool
  let usesColor: Bool

  static let program = "imgdl-cli"

  init(isQuiet: Bool = false, usesColor: Bool = false) {
    self.isQuiet = isQuiet
    self.usesColor = usesColor
  }

  /// Data, with a line end.
  func print(_ line: String) { Self.write(line + "\n", to: 1) }

  /// A message that `--quiet` hides.
  func note(_ line: String) {
    if !isQuiet { Self.write(line + "\n", to: 2) }
  }

  /// What went wrong; never hidden.
  func complain(_ message: String) {
    let prefix = usesColor ? "\u{1b}[31m\(Self.program):\u{1b}[0m" : "\(Self.program):"
    Self.write("\(prefix) \(Self.escaped(message))\n", to: 2)
  }

  /// Writes everything; a reader that has gone (`imgdl-cli list | head -1`) ends the program quietly.
  static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var left = UnsafeRawBufferPointer(bytes)
      while !left.isEmpty {
        let count = Glibc.write(descriptor, left.baseAddress, left.count)
        if count < 0 {
          if errno == EINTR { continue }
          if errno == EPIPE, descriptor == 1 { exit(0) }
          return
        }
        left = UnsafeRawBufferPointer(rebasing: left[count...])
      }
    }
  }

  /// Names and texts from servers with control and direction characters made visible, so that they
  /// cannot steer a terminal.
  static func escaped(_ text: some StringProtocol) -> String {
    guard text.unicodeScalars.contains(where: isDangerous) else { return String(text) }
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

  private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
