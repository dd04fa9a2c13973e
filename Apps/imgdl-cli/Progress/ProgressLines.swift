import Models
import ProgressTree

/// The lines of the display on a terminal: one for each record in progress, and one for the total.
///
/// Each line has the name, a bar, done/total, the state, the rate and the time left. On a narrow terminal,
/// columns are left out from the right; then the bar and the name are shortened.
enum ProgressLines {
  static func render(
    _ progress: LibraryProgress, _ rates: RecordRates, _ pauses: PauseState = PauseState(),
    _ cancelled: CancelledCounts = CancelledCounts(), columns: Int, rows: Int
  ) -> [String] {
    let room = max(1, min(rows - 3, 20))
    let working = progress.records.filter { $0.settled < $0.total }
    let busy = working.filter { $0.activity != ActivityCounts() }
    let shown = (busy + working.filter { $0.activity == ActivityCounts() }).prefix(room)
    var lines = shown.map { Line($0, rates, pauses, cancelled) }
    let total = Line(total: progress, cancelled, isPaused: pauses.isLibraryPaused)
    lines.append(total)
    let layout = Layout(lines, columns: columns)
    var texts = lines.map { layout.text($0) }
    if working.count > shown.count {
      texts.insert("… and \(working.count - shown.count) more", at: shown.count)
    }
    return texts
  }

  static func bar(_ fraction: Double, _ width: Int) -> String {
    let eighths = Int((max(0, min(1, fraction)) * Double(width * 8)).rounded(.down))
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    let full = String(repeating: "█", count: eighths / 8)
    let part = parts[eighths % 8]
    let rest = width - eighths / 8 - (part.isEmpty ? 0 : 1)
    return "▕\(full)\(part)\(String(repeating: " ", count: rest))▏"
  }

  /// Formats a number of seconds: `42s`, `3m 05s`, `2h 10m`.
  static func time(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 359_999 else { return "—" }
    let whole = Int(max(0, seconds).rounded(.up))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if whole < 60 { return "\(whole)s" }
    if whole < 3_600 { return "\(whole / 60)m \(two(whole % 60))s" }
    return "\(whole / 3_600)h \(two(whole % 3_600 / 60))m"
  }

  /// The contents of one line of the display.
  fileprivate struct Line {
    let title: String
    let fraction: Double
    /// The texts for done/total, state, rate and time left.
    let cells: [String]

    init(
      _ record: RecordProgress, _ rates: RecordRates, _ pauses: PauseState,
      _ cancelled: CancelledCounts
    ) {
      title = Console.escaped(record.title)
      fraction = record.fraction
      let isPaused = pauses.covers(record.id)
      let isDownloading = record.activity.downloading > 0 && !isPaused
      cells = [
        "\(record.settled)/\(record.total)", record.statusText(pauses, cancelled),
        Self.rate(isDownloading ? rates.bytesPerSecond(record.id) : 0),
        Self.timeLeft(isPaused ? nil : rates.secondsLeft(record)),
      ]
    }

    init(total progress: LibraryProgress, _ cancelled: CancelledCounts, isPaused: Bool) {
      title = "Total"
      fraction = progress.fraction
      let unsuccessful = cancelled.text(progress)
      cells = [
        "\(progress.settled)/\(progress.total)",
        unsuccessful.isEmpty
          ? ByteText.short(progress.bytes) : String(unsuccessful.dropFirst(2)),
        Self.rate(isPaused ? 0 : progress.bytesPerSecond),
        Self.timeLeft(isPaused ? nil : progress.secondsLeft),
      ]
    }

    private static func rate(_ value: Double) -> String {
      value >= 1 ? "\(ByteText.short(Int64(value)))/s" : ""
    }

    private static func timeLeft(_ seconds: Double?) -> String {
      seconds.map { "ETA \(ProgressLines.time($0))" } ?? ""
    }
  }

  /// The widths of the columns, which are the same in all lines.
  private struct Layout {
    private var widths: [Int]
    private let title: Int
    private let bar: Int

    /// The minimum width of each column in cells, so that bars do not move when a rate appears or disappears.
    private static let minimumWidths = [0, 14, 10, 11]
    private static let titleRange = 8...40
    private static let barRange = 4...30

    init(_ lines: [Line], columns: Int) {
      widths = Self.minimumWidths.indices.map { column in
        lines.reduce(column < 2 ? 0 : Self.minimumWidths[column]) {
          max($0, CellWidth.columns(of: $1.cells[column]))
        }
      }
      // The width of the space after the name and the two ends of the bar.
      let fixed = 3
      let smallest = Self.titleRange.lowerBound + Self.barRange.lowerBound + fixed
      while widths.count > 1,
        columns - 1 - widths.reduce(0, { $0 + $1 + 2 }) < smallest
      {
        widths.removeLast()
      }
      let left = columns - 1 - fixed - widths.reduce(0) { $0 + $1 + 2 }
      let longest = lines.reduce(Self.titleRange.lowerBound) {
        max($0, CellWidth.columns(of: $1.title))
      }
      let wanted = min(longest, Self.titleRange.upperBound)
      let barLeast = max(Self.barRange.lowerBound, min(20, left / 3))
      title = max(Self.titleRange.lowerBound, min(wanted, left - barLeast))
      bar = max(Self.barRange.lowerBound, min(Self.barRange.upperBound, left - title))
    }

    func text(_ line: Line) -> String {
      let name = CellWidth.fit(line.title, title)
      var text = name + String(repeating: " ", count: max(0, title - CellWidth.columns(of: name)))
      text += " " + ProgressLines.bar(line.fraction, bar)
      for (column, width) in widths.enumerated() {
        let cell = line.cells[column]
        let padding = String(repeating: " ", count: max(0, width - CellWidth.columns(of: cell)))
        // Numbers are aligned to the right, the state to the left.
        text += "  " + (column == 1 ? cell + padding : padding + cell)
      }
      while text.last == " " { text.removeLast() }
      return text
    }
  }
}
