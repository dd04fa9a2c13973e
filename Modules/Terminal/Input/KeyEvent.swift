public enum Key: Sendable, Hashable {
  /// The character that the key produces: "a", "A", " ", "é". With Control or Alt, the plain letter.
  case character(Character)
  case enter, tab, backspace, escape
  case up, down, left, right, home, end, pageUp, pageDown, insert, delete
  /// A function key by its number; F1 is 1.
  case function(Int)
}

/// A press, repetition or release of a key.
public struct KeyEvent: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case press
    /// A repetition, reported only by terminals with kitty's keyboard protocol; others report another press.
    case `repeat`
    /// A release, reported only by terminals with kitty's keyboard protocol.
    case release
  }

  public let key: Key
  /// The modifiers. Shift is omitted for a character that it has changed: Shift-a is "A" without `.shift`.
  public let modifiers: Modifiers
  public let kind: Kind

  public init(_ key: Key, _ modifiers: Modifiers = [], kind: Kind = .press) {
    self.key = key
    self.modifiers = modifiers
    self.kind = kind
  }

  /// The character that the event inserts into a text field; nil for keys without a character, and with
  /// Control or Alt.
  public var text: Character? {
    guard case .character(let character) = key, kind != .release,
      modifiers.isDisjoint(with: [.alt, .control, .command])
    else { return nil }
    return character
  }
}
