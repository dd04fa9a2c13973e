import Models
import ProgressTree

/// The lines of the display on a terminal: one for each record in work, one for the total. Pure.
enum ProgressLines {
  static func render(_ progress: LibraryProgress, columns: Int, rows: Int) -> [String] {
    let room = max(1, min(rows - 2, 20))
    let working = progress.records.filter { $0.settled < $0.total }
    let busy = working.filter { $0.activity != ActivityCounts() }
    let shown = (busy + working.filter { $0.activity == ActivityCounts() }).prefix(room)
    var lines = shown.map { line($0, columns: columns) }
    if working.count > shown.count { lines.append("… and \(working.count - shown.count) more") }
    lines.append(total(progress, columns: columns))
    return lines
  }

  private static func line(_ record: RecordProgress, columns: Int) -> String {
    let counts = "\(record.settled)/\(record.total)"
    let status = record.statusText
    let tail = " \(counts)  \(status)"
    let barWidth = max(5, min(30, columns / 4))
    let titleWidth = max(8, min(40, columns - barWidth - 4 - CellWidth.of(tail)))
    let title = CellWidth.fit(Console.escaped(record.title), titleWidth)
    let padding = String(repeating: " ", count: max(0, titleWidth - CellWidth.of(title)))
    return "\(title)\(padding) \(bar(record.fraction, barWidth))\(tail)"
  }

  private static func total(_ progress: LibraryProgress, columns: Int) -> String {
    var parts = ["\(progress.settled)/\(progress.total)"]
    if progress.failed > 0 { parts.append("\(progress.failed) failed") }
    parts.append("\(ByteText.short(progress.bytes))")
    if progress.bytesPerSecond >= 1 {
      parts.append("\(ByteText.short(Int64(progress.bytesPerSecond)))/s")
    }
    if let left = progress.secondsLeft { parts.append("ETA \(time(left))") }
    let tail = " " + parts.joined(separator: "  ")
    let barWidth = max(5, min(30, columns / 4))
    let titleWidth = max(8, min(40, columns - barWidth - 4 - tail.count))
    let title = "Total" + String(repeating: " ", count: max(0, titleWidth - 5))
    return "\(title) \(bar(progress.fraction, barWidth))\(tail)"
  }

  static func bar(_ fraction: Double, _ width: Int) -> String {
    let eighths = Int((max(0, min(1, fraction)) * Double(width * 8)).rounded(.down))
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    let full = String(repeating: "█", count: eighths / 8)
    let part = parts[eighths % 8]
    let rest = width - eighths / 8 - (part.isEmpty ? 0 : 1)
    return "▕\(full)\(part)\(String(repeating: " ", count: rest))▏"
  }

  /// `42s`, `3m 05s`, `2h 10m`.
  static func time(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 359_999 else { return "—" }
    let whole = Int(seconds.rounded(.up))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if whole < 60 { return "\(whole)s" }
    if whole < 3_600 { return "\(whole / 60)m \(two(whole % 60))s" }
    return "\(whole / 3_600)h \(two(whole % 3_600 / 60))m"
  }
}

/// Lines for logs and screen readers: what begins, now and then how far all is, what is done.
struct PlainProgress {
  private var begun = false
  private var finished: Set<RecordID> = []
  private var pollsSinceTotal = 0

  /// The total is told every so many polls.
  private static let pollsPerTotal = 10

  mutating func lines(_ progress: LibraryProgress, isLast: Bool) -> [String] {
    guard !progress.records.isEmpty else { return [] }
    var lines: [String] = []
    if !begun {
      begun = true
      let records = progress.records.count
      lines.append(
        "\(records) \(records == 1 ? "record" : "records"), \(progress.total) resources")
    }
    for record in progress.records
    where record.settled == record.total && finished.insert(record.id).inserted {
      lines.append("\(Console.escaped(record.title)): \(record.statusText)")
    }
    pollsSinceTotal += 1
    if pollsSinceTotal >= Self.pollsPerTotal || (isLast && progress.settled < progress.total) {
      pollsSinceTotal = 0
      lines.append(total(progress))
    }
    return lines
  }

  private func total(_ progress: LibraryProgress) -> String {
    var text = "\(progress.settled)/\(progress.total) done"
    if progress.failed > 0 { text += ", \(progress.failed) failed" }
    text += ", \(ByteText.short(progress.bytes))"
    if let left = progress.secondsLeft { text += ", \(ProgressLines.time(left)) left" }
    return text
  }
}
