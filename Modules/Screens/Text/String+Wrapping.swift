import Terminal

extension String {
  /// Broken into lines of at most so many columns: between words, and inside of a word that is longer than a line.
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
        // Such a word continues where the line is; nothing is gained by a line of its own.
        var pieces = joined.pieces(of: columns)
        line = pieces.popLast() ?? ""
        lines += pieces
      }
    }
    return lines + [line]
  }

  /// Cut into pieces of at most so many columns, each of one character at least.
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
