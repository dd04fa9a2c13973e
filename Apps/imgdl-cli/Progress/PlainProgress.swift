import Models
import ProgressTree

/// Lines for logs and screen readers: a record when it begins, now and then, and when it is done.
struct PlainProgress {
  private var told: [RecordID: Int] = [:]
  private var finished: Set<RecordID> = []

  mutating func lines(_ progress: LibraryProgress, isLast: Bool) -> [String] {
    var lines: [String] = []
    for record in progress.records where !finished.contains(record.id) {
      let tenth = record.total > 0 ? record.settled * 10 / record.total : 10
      let isDone = record.settled == record.total
      guard isDone || isLast || told[record.id] == nil || told[record.id] != tenth else { continue }
      told[record.id] = tenth
      if isDone { finished.insert(record.id) }
      let title = Console.escaped(record.title)
      lines.append("\(title): \(record.statusText) \(record.settled)/\(record.total)")
    }
    return lines
  }
}
