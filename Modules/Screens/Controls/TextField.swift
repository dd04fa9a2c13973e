import Terminal

/// A single-line text field.
struct TextField: Sendable, Equatable {
  private(set) var characters: [Character]
  /// The index at which the next character is inserted, 0...`characters.count`.
  private(set) var cursor: Int
  /// Whether the next typed character replaces the whole text.
  private(set) var isSelected: Bool
  /// Whether the text is a secret, which is drawn as dots and omitted from descriptions of the field.
  let isMasked: Bool

  /// The largest number of characters, which is more than any path needs.
  static let limit = 8_192

  private static let mask: Character = "•"

  /// - Parameter suggestion: The initial text, which is selected: typing replaces it, moving the cursor keeps
  ///   it.
  init(suggestion: String = "", isMasked: Bool = false) {
    characters = Array(suggestion)
    cursor = characters.count
    isSelected = !characters.isEmpty
    self.isMasked = isMasked
  }

  var text: String { String(characters) }

  mutating func insert(_ text: some StringProtocol) {
    if isSelected { clear() }
    // A secret keeps only the first line of a pasted text; any other field joins the lines with spaces.
    let lines = text.split(whereSeparator: \.isNewline)
    let line = isMasked ? String(lines.first ?? "") : lines.joined(separator: " ")
    let new = line.filter { $0 != "\0" }.prefix(max(0, Self.limit - characters.count))
    characters.insert(contentsOf: new, at: cursor)
    cursor += new.count
  }

  mutating func clear() {
    characters = []
    cursor = 0
    isSelected = false
  }

  /// - Returns: Whether the field handled the key.
  mutating func handle(_ stroke: KeyStroke) -> Bool {
    switch stroke.key {
    case .character("u") where stroke.hasControl:
      characters.removeFirst(cursor)
      cursor = 0
    case .character("w") where stroke.hasControl: eraseWord()
    case .character("a") where stroke.hasControl: cursor = 0
    case .character("e") where stroke.hasControl: cursor = characters.count
    case .character(let character) where !stroke.hasControl: insert(String(character))
    case .backspace: erase()
    case .delete: if cursor < characters.count { characters.remove(at: cursor) }
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(characters.count, cursor + 1)
    case .home: cursor = 0
    case .end: cursor = characters.count
    default: return false
    }
    isSelected = false
    return true
  }

  private mutating func erase() {
    if isSelected {
      clear()
    } else if cursor > 0 {
      cursor -= 1
      characters.remove(at: cursor)
    }
  }

  private mutating func eraseWord() {
    let end = cursor
    // A masked field erases everything before the cursor: single words would reveal where they end.
    if isMasked { cursor = 0 }
    while cursor > 0, characters[cursor - 1] == " " || characters[cursor - 1] == "/" { cursor -= 1 }
    while cursor > 0, characters[cursor - 1] != " ", characters[cursor - 1] != "/" { cursor -= 1 }
    characters.removeSubrange(cursor..<end)
  }

  /// Draws the field, with the terminal's cursor at the insertion point.
  func draw(in area: Rect, on canvas: inout Canvas) {
    guard area.columns > 1 else { return }
    canvas.fill(area, .field)
    let shown =
      isMasked ? [Character](repeating: Self.mask, count: characters.count) : characters
    // The field scrolls so that as much text as fits is visible to the left of the cursor.
    var start = cursor
    var width = 0
    while start > 0 {
      let next = TextWidth.columns(String(shown[start - 1]))
      if width + next > area.columns - 1 { break }
      width += next
      start -= 1
    }
    let role: TextRole = isSelected ? .chosenButton : .field
    canvas.clipped(to: area) { canvas in
      canvas.buffer.write(
        String(shown[start...]), at: Point(area.column, area.row),
        style: canvas.style(role))
    }
    canvas.buffer.cursor = Point(area.column + width, area.row)
  }
}

/// The descriptions and the mirror of a masked field hide its text, so that printing a state reveals no
/// secret.
extension TextField: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { isMasked ? "(hidden)" : text }
  var debugDescription: String { isMasked ? description : text.debugDescription }
  var customMirror: Mirror {
    isMasked
      ? Mirror(self, children: EmptyCollection<Mirror.Child>())
      : Mirror(self, children: ["characters": characters, "cursor": cursor])
  }
}
