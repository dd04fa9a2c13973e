/// What a terminal answered to a question.
enum TerminalReply: Sendable, Equatable {
  /// DA1: the list of its extensions; 4 is sixel (DEC STD 070, xterm's ctlseqs).
  case attributes([Int])
  /// DECRPM: a private mode is 0 unknown, 1 set, 2 reset, 3 always set, 4 never.
  case mode(Int, Int)
  /// XTVERSION: name and version.
  case version(String)
  /// kitty's keyboard protocol, its flags.
  case keyboardFlags(Int)
  /// Pixels of a cell, from `CSI 16 t`.
  case cellPixels(PixelSize)
  /// OSC 11.
  case background(Colour)
  /// kitty's graphics protocol: the number of a picture and "OK" or "CODE:reason".
  case graphics(picture: Int, message: String)
}
