/// The width of text on a terminal, in cells.
enum CellWidth {
  static func columns(of text: some StringProtocol) -> Int {
    if text.utf8Satisfies({ $0 < 0x80 }) { return text.utf8.count }
    // Below U+0300, the first combining mark, each scalar is a character of one cell. Counting scalars is
    // much faster than splitting the text into characters.
    if text.utf8Satisfies({ $0 < 0xcc }) { return text.unicodeScalars.count }
    return text.reduce(0) { $0 + width($1) }
  }

  private static func width(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
      0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1faff, 0x20000...0x3fffd:
      return 2
    default: return scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
    }
  }

  /// Returns the text if it fits, otherwise its longest prefix that fits together with the `…` after it.
  static func fit(_ text: String, _ width: Int) -> String {
    guard columns(of: text) > width else { return text }
    guard width > 1 else { return width == 1 ? "…" : "" }
    var output = ""
    var used = 1
    for character in text {
      used += self.width(character)
      if used > width { break }
      output.append(character)
    }
    return output + "…"
  }

  /// Breaks a sentence between words into lines that fit. A URL or path that is longer than a line is not
  /// broken, so that it can be copied.
  /// - Parameter indent: The number of spaces before each line except the first.
  static func wrap(_ text: String, _ width: Int, indent: Int = 0) -> [String] {
    guard columns(of: text) > width else { return [text] }
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = String(text.prefix { $0 == " " })
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, columns(of: line) + 1 + columns(of: word) > width {
        lines.append(line)
        (line, isEmpty) = (margin, true)
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [line]
  }

  /// Returns the text if it fits, otherwise its beginning and end with `…` between them.
  static func fitMiddle(_ text: String, _ width: Int) -> String {
    guard columns(of: text) > width, width > 2 else { return fit(text, width) }
    var end = ""
    var used = 0
    for character in text.reversed() {
      used += self.width(character)
      if used > width / 2 { break }
      end.insert(character, at: end.startIndex)
    }
    return fit(text, width - columns(of: end)) + end
  }
}

extension StringProtocol {
  /// Whether all bytes of the UTF-8 form satisfy the test. The function iterates over contiguous memory,
  /// because `utf8` takes several times as long and tables have millions of cells.
  func utf8Satisfies(_ test: (UInt8) -> Bool) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.allSatisfy(test) } ?? utf8.allSatisfy(test)
  }
}
