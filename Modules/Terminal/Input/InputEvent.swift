/// What a user, or the terminal, did.
public enum InputEvent: Sendable, Equatable {
  case key(KeyEvent)
  /// Text that was pasted, in one piece (bracketed paste).
  case paste(Paste)
  case mouse(MouseEvent)
  /// The window got or lost the keyboard.
  case focus(Bool)
  /// The terminal has another size; draw again.
  case resize(Size)
  /// The program continues after Ctrl-Z; its screen was given back and must be redrawn.
  case resumed
  /// The terminal answered late and can do more than was known.
  case capabilities(Capabilities)
}

public struct Paste: Sendable, Equatable {
  public let text: String
  /// Whether the rest was dropped because it was longer than `InputDecoder.pasteLimit`.
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
  /// The key with the logo.
  public static let command = Modifiers(rawValue: 8)
}
