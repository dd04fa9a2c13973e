import Terminal

extension String {
  /// Returns the text in lines of at most `columns`, broken between words, or within a word that is longer
  /// than a line.
  func wrapped(to columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ", omittingEmptySubsequences: true) {
      let joined = line.isEmpty ? String(word) : line + " " + word
      if TextWidth.columns(joined) <= columns {
        line = joined
      } else if TextWidth.columns(String(word)) <= columns {
        lines.append(line)
        line = String(word)
      } else {
        // A word that is longer than a line starts on the current line and is broken.
        var pieces = joined.pieces(of: columns)
        line = pieces.popLast() ?? ""
        lines += pieces
      }
    }
    return lines + [line]
  }

  /// Splits the text into pieces of at most `columns`, each with at least one character.
  private func pieces(of columns: Int) -> [String] {
    var pieces: [String] = []
    var piece = ""
    for character in self {
      if !piece.isEmpty, TextWidth.columns(piece + String(character)) > columns {
        pieces.append(piece)
        piece = ""
      }
      piece.append(character)
    }
    return pieces + [piece]
  }
}
