/// The sequences that set the modes of a session, and restore those of the shell.
enum ScreenModes {
  /// Returns the bytes that switch to the alternate screen, disable wrapping, hide the cursor, request
  /// reports of pastes and focus, and set modes according to the capabilities.
  static func enterSequence(_ capabilities: Capabilities, mouse: Bool) -> [UInt8] {
    var output = Output()
    output.append("\u{1b}[?1049h\u{1b}[?7l\u{1b}[?25l\u{1b}[?2004h\u{1b}[?1004h")
    if mouse { output.append("\u{1b}[?1000h\u{1b}[?1002h\u{1b}[?1006h") }
    if capabilities.graphemeClusters { output.append("\u{1b}[?2027h") }
    // The alternate screen has its own stack of keyboard modes, so the mode is set after switching screens.
    if capabilities.kittyKeyboard { output.append("\u{1b}[>1u") }
    output.append("\u{1b}[m")
    return output.bytes
  }

  /// Returns the bytes that restore the modes. They start with ST, because the program may have died within a
  /// control string.
  static func restoringBytes(_ capabilities: Capabilities) -> [UInt8] {
    var output = Output()
    output.append("\u{1b}\\")
    if capabilities.synchronizedOutput { output.append("\u{1b}[?2026l") }
    output.append("\u{1b}[m")
    if capabilities.images == .kitty { output.append("\u{1b}_Ga=d,d=A,q=2\u{1b}\\") }
    if capabilities.kittyKeyboard { output.append("\u{1b}[<u") }
    if capabilities.graphemeClusters { output.append("\u{1b}[?2027l") }
    output.append(
      "\u{1b}[?1006l\u{1b}[?1002l\u{1b}[?1000l\u{1b}[?1004l\u{1b}[?2004l\u{1b}[?7h\u{1b}[?25h")
    output.append("\u{1b}[?1049l")
    return output.bytes
  }

  /// The bytes that undo modes of another program without leaving the alternate screen: an unfinished string,
  /// another character set, margins, the origin mode, the insert mode, wrapping, and colours.
  static let resetLeftovers: [UInt8] = Array(
    "\u{1b}\\\u{1b}(B\u{f}\u{1b}[r\u{1b}[?6l\u{1b}[4l\u{1b}[?7l\u{1b}[m".utf8)

  /// The bytes that restore a terminal that was only queried: ST, the end of a control string.
  static let endProbe: [UInt8] = Array("\u{1b}\\".utf8)
}
