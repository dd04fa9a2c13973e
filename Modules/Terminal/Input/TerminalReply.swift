/// A reply of the terminal to a query.
enum TerminalReply: Sendable, Equatable {
  /// DA1: the extensions that the terminal supports; 4 is sixel (DEC STD 070, xterm's ctlseqs).
  case attributes([Int])
  /// DECRPM: a private mode and its state: 0 unknown, 1 set, 2 reset, 3 always set, 4 never.
  case mode(Int, Int)
  /// XTVERSION: the name and version of the terminal.
  case version(String)
  /// The flags of kitty's keyboard protocol.
  case keyboardFlags(Int)
  /// The size of a cell in pixels, from `CSI 16 t`.
  case cellPixels(PixelSize)
  /// The background colour of default cells, from OSC 11.
  case background(Colour)
  /// The largest sixel image that the terminal draws, in pixels, from XTSMGRAPHICS (xterm's ctlseqs).
  case sixelLimit(PixelSize)
  /// kitty's graphics protocol: the number of an image, and "OK" or "CODE:reason".
  case graphics(image: Int, message: String)
}
