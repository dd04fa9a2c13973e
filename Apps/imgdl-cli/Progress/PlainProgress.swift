import Models
import ProgressTree

/// Progress as lines for logs and screen readers: the start, each finished record, and periodically the
/// total.
struct PlainProgress {
  private var hasPrintedStart = false
  private var finished: Set<RecordID> = []
  private var pollsSinceTotal = 0
  private var pauses = PauseState()

  /// The number of polls after which the total is printed again.
  private static let pollsPerTotal = 10

  mutating func lines(
    _ progress: LibraryProgress, _ pauses: PauseState = PauseState(),
    _ cancelled: CancelledCounts = CancelledCounts(), isLast: Bool
  ) -> [String] {
    guard !progress.records.isEmpty else { return [] }
    var lines: [String] = []
    if !hasPrintedStart {
      hasPrintedStart = true
      lines.append(
        "\(Summary.count(progress.records.count, "record")), "
          + Summary.count(progress.total, "resource"))
    }
    lines += changes(pauses, progress)
    for record in progress.records
    where record.settled == record.total && finished.insert(record.id).inserted {
      let status = record.statusText(pauses, cancelled)
      lines.append("\(Console.escaped(record.title)): \(status)")
    }
    pollsSinceTotal += 1
    if pollsSinceTotal >= Self.pollsPerTotal || (isLast && progress.settled < progress.total) {
      pollsSinceTotal = 0
      lines.append(total(progress, cancelled))
    }
    return lines
  }

  /// Returns lines about records and the library that were paused, or a library that was resumed, since the
  /// previous call.
  private mutating func changes(
    _ now: PauseState, _ progress: LibraryProgress
  ) -> [String] {
    guard now != pauses else { return [] }
    defer { pauses = now }
    var lines: [String] = []
    for record in progress.records
    where now.records.contains(record.id) && !pauses.records.contains(record.id)
      && record.settled < record.total
    {
      lines.append("\(Console.escaped(record.title)): Paused")
    }
    if now.isLibraryPaused && !pauses.isLibraryPaused { lines.append(PauseState.sentence) }
    if pauses.isLibraryPaused && !now.isLibraryPaused { lines.append("Resumed") }
    return lines
  }

  private func total(_ progress: LibraryProgress, _ cancelled: CancelledCounts) -> String {
    var text = "\(progress.settled)/\(progress.total) done"
    text += cancelled.text(progress)
    text += ", \(ByteText.short(progress.bytes))"
    if let left = progress.secondsLeft { text += ", \(ProgressLines.time(left)) left" }
    return text
  }
}
