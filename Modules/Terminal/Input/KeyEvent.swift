public enum Key: Sendable, Hashable {
  /// What the key writes: "a", "A", " ", "é". With control or alt, the letter without them.
  case character(Character)
  case enter, tab, backspace, escape
  case up, down, left, right, home, end, pageUp, pageDown, insert, delete
  /// F1 is 1.
  case function(Int)
}

/// A key that went down, was repeated, or went up.
public struct KeyEvent: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case press
    /// Only from terminals with kitty's keyboard protocol; others repeat presses.
    case `repeat`
    /// Only from terminals with kitty's keyboard protocol.
    case release
  }

  public let key: Key
  /// Shift is not named for a character that it has changed already: "A" is "A".
  public let modifiers: Modifiers
  public let kind: Kind

  public init(_ key: Key, _ modifiers: Modifiers = [], kind: Kind = .press) {
    self.key = key
    self.modifiers = modifiers
    self.kind = kind
  }

  /// What it writes into a text field; nil for keys that do not write and with control or alt.
  public var text: Character? {
    guard case .character(let character) = key, kind != .release,
      modifiers.isDisjoint(with: [.alt, .control, .command])
    else { return nil }
    return character
  }
}
