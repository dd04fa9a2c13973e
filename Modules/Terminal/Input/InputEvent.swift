/// An event from the user or the terminal.
public enum InputEvent: Sendable, Equatable {
  case key(KeyEvent)
  /// Pasted text in one piece (bracketed paste).
  case paste(Paste)
  case mouse(MouseEvent)
  /// The window has gained (`true`) or lost the keyboard focus.
  case focus(Bool)
  /// The new size of the terminal in cells; the program must draw again.
  case resize(Size)
  /// The program continues after a stop; the terminal was restored meanwhile, so the program must draw again.
  case resumed
  /// Capabilities that the terminal reported late.
  case capabilities(Capabilities)
}

public struct Paste: Sendable, Equatable {
  public let text: String
  /// Whether text beyond `InputDecoder.pasteLimit` was dropped.
  public let isTruncated: Bool

  public init(_ text: String, isTruncated: Bool = false) {
    self.text = text
    self.isTruncated = isTruncated
  }
}

public struct Modifiers: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let shift = Modifiers(rawValue: 1)
  /// Alt, also called Option or Meta.
  public static let alt = Modifiers(rawValue: 2)
  public static let control = Modifiers(rawValue: 4)
  /// The logo key.
  public static let command = Modifiers(rawValue: 8)
}
