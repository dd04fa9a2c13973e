import Foundation
import Models

/// Formats measured values for people.
enum FigureText {
  static func of(_ value: Double, _ measure: Measure) -> String {
    switch measure {
    case .wall, .processor: "\(decimal(value)) s"
    case .memory, .bytes: ByteText.short(Int64(value))
    case .requests, .failures:
      value == value.rounded() ? String(Int(value)) : String(format: "%.1f", value)
    }
  }

  static func range(_ spread: MedianRange, _ measure: Measure) -> String {
    let least = of(spread.minimum, measure)
    let most = of(spread.maximum, measure)
    return least == most ? least : "\(least) - \(most)"
  }

  static func ratio(_ ratio: Double?) -> String {
    ratio.map { String(format: "%.2f", $0) } ?? "-"
  }

  /// Formats a number with three decimals below 10, two below 100, and one for all others.
  private static func decimal(_ value: Double) -> String {
    String(format: value < 10 ? "%.3f" : value < 100 ? "%.2f" : "%.1f", value)
  }
}

extension ExperimentResult {
  /// Returns a table of each measure with a row for each combination.
  func table() -> Table {
    var table = Table([
      ("MEASURE", .left), ("COMBINATION", .name), ("MEDIAN", .right), ("MIN - MAX", .right),
      ("RATIO", .right),
    ])
    for measure in Measure.allCases {
      for (index, row) in rows(measure).enumerated() {
        table.add([
          index == 0 ? measure.title : "", row.combination,
          FigureText.of(row.spread.median, measure), FigureText.range(row.spread, measure),
          FigureText.ratio(row.ratio),
        ])
      }
    }
    return table
  }
}

/// Formats a command line so that it can be pasted into a shell, without secrets.
enum CommandText {
  static func of(_ words: [String]) -> String {
    var words = words
    for index in words.indices { words[index] = redacted(words[index]) }
    return words.map(quoted).joined(separator: " ")
  }

  private static func redacted(_ word: String) -> String {
    for key in SettingsSchema.keys where key.kind.isSecret {
      for prefix in ["\(key.name)=", "--set=\(key.name)="] where word.hasPrefix(prefix) {
        return prefix + "..."
      }
    }
    // The user information before the host may contain a password.
    guard let scheme = word.range(of: "://") else { return word }
    let authority = word[scheme.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return word }
    return word[..<scheme.upperBound] + "..." + word[at...]
  }

  /// Quotes a word for a shell.
  static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_=,./:%+@".contains($0))
    }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
