/// Finds the known word nearest to a mistyped one, for "did you mean".
public enum Suggestion {
  /// Returns the candidate nearest to `word` if its distance is at most a third of the word's length and no
  /// other candidate is as near; otherwise the only candidate that starts with `word`, or nil.
  public static func nearest(to word: String, in candidates: [String]) -> String? {
    let nearest = closest(to: word, in: candidates)
    if nearest.count == 1 { return nearest.first }
    let longer = beginnings(with: word, in: candidates)
    return longer.count == 1 ? longer.first : nil
  }

  /// Returns the candidates that are equally near to `word`, or else all that start with it, in their order.
  public static func allNearest(to word: String, in candidates: [String]) -> [String] {
    let nearest = closest(to: word, in: candidates)
    return nearest.isEmpty ? beginnings(with: word, in: candidates) : nearest
  }

  private static func closest(to word: String, in candidates: [String]) -> [String] {
    let limit = max(1, word.count / 3)
    let ranked = candidates.map { (name: $0, distance: distance(word, $0)) }
    let best = ranked.map(\.distance).min() ?? .max
    return best <= limit ? ranked.filter { $0.distance == best }.map(\.name) : []
  }

  private static func beginnings(with word: String, in candidates: [String]) -> [String] {
    candidates.filter { word.count >= 2 && $0.hasPrefix(word) }
  }

  /// Returns the Damerau–Levenshtein distance (optimal string alignment): the number of insertions,
  /// deletions, replacements and swaps of neighbours that turn `first` into `second`. O(n × m) in time and
  /// space.
  public static func distance(_ first: String, _ second: String) -> Int {
    let a = Array(first)
    let b = Array(second)
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var rows = [Array(0...b.count)]
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        let replace = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        var cost = min(rows[i - 1][j] + 1, row[j - 1] + 1, replace)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          cost = min(cost, rows[i - 2][j - 2] + 1)
        }
        row.append(cost)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
