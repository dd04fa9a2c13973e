import LibraryAPI
import Models
import Persistence

/// Formats events as lines of text. The progress of a record is reported in tenths, so that a record of a
/// thousand images does not print a thousand lines.
struct PlainEventPrinter {
  let store: any LibraryReader
  private var printedTenths: [RecordID: Int] = [:]

  init(store: any LibraryReader) { self.store = store }

  mutating func lines(for event: LibraryEvent) async -> [String] {
    switch event.kind {
    case .recordAdded(_, let title): return ["Added: \(title)"]
    case .problem(let text): return ["Problem: \(text)"]
    case .finished(_, let record): return await progress(record)
    case .failed(_, let record, let url, let reason):
      return ["Error: \(url): \(Self.withPlainHint(reason))"] + (await progress(record))
    case .paused(let record): return [await name(record) + ": Paused"]
    case .resumed(let record): return [await name(record) + ": Resumed"]
    case .wasReset:
      printedTenths = [:]
      return ["Everything was deleted"]
    case .stopped(let error): return ["Stopped: \(error.detail)"]
    case .hostWaits(let host, let seconds, let reason):
      return ["\(host): \(reason); continues in \(Int(seconds.rounded(.up))) s"]
    default: return []
    }
  }

  /// Replaces the hint in the reason of an encrypted file, which names an option of `imgdl-cli`, by the
  /// command that this interface has for the password.
  private static func withPlainHint(_ reason: String) -> String {
    guard reason.hasSuffix(Resource.passwordHint) else { return reason }
    return reason.dropLast(Resource.passwordHint.count) + "; use unlock to enter the password"
  }

  private mutating func progress(_ id: RecordID) async -> [String] {
    guard let record = try? await store.record(id), record.counts.total > 0 else { return [] }
    let counts = record.counts
    let tenth = counts.settled * 10 / counts.total
    guard tenth > printedTenths[id] ?? 0 else { return [] }
    printedTenths[id] = tenth
    if counts.settled == counts.total {
      printedTenths[id] = nil
      let cancelled =
        counts.failed > 0
        ? (try? await store.failedCount(of: id, reason: Resource.cancelledReason)) ?? 0 : 0
      let status = StatusText.record(
        counts, activity: ActivityCounts(), isPaused: false, cancelled: cancelled)
      return ["\(record.title): \(status)"]
    }
    return ["\(record.title): \(counts.finished) of \(counts.total)"]
  }

  private func name(_ record: RecordID?) async -> String {
    guard let record else { return "All downloads" }
    return (try? await store.record(record))?.title ?? "Record \(record)"
  }
}
