/// A key press as the key table names it.
public struct KeyStroke: Hashable, Sendable {
  public enum Key: Hashable, Sendable {
    case character(Character)
    case up, down, left, right, home, end, pageUp, pageDown
    case enter, escape, tab, backspace, delete
    case function(Int)
  }

  public var key: Key
  public var hasControl: Bool

  public init(_ key: Key, hasControl: Bool = false) {
    self.key = key
    self.hasControl = hasControl
  }

  /// The name of the key in the help, such as `^D`, `↑` or `Enter`.
  public var label: String { (hasControl ? "^" : "") + name }

  private var name: String {
    switch key {
    case .character(" "): "Space"
    case .character(let character): hasControl ? character.uppercased() : String(character)
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .enter: "Enter"
    case .escape: "Esc"
    case .tab: "Tab"
    case .backspace: "Bksp"
    case .delete: "Del"
    case .function(let number): "F\(number)"
    }
  }
}

extension KeyStroke: ExpressibleByStringLiteral {
  /// Creates a key press from a character, from `^x` for a character with Control, or from the lower-case
  /// name of a key.
  public init(stringLiteral text: String) {
    if let key = Self.named[text] {
      self.init(key)
    } else if text.count == 2, text.first == "^", let character = text.last {
      self.init(.character(character), hasControl: true)
    } else {
      self.init(.character(text.first ?? " "))
    }
  }

  private static let named: [String: Key] = [
    "up": .up, "down": .down, "left": .left, "right": .right, "home": .home, "end": .end,
    "pageup": .pageUp, "pagedown": .pageDown, "enter": .enter, "escape": .escape, "tab": .tab,
    "backspace": .backspace, "delete": .delete,
  ]
}
