import CommandLine
import Models
import Persistence

/// The result of a run, read from the store.
struct Summary: Sendable {
  struct Failure: Sendable {
    let title: String
    let resource: Resource
  }

  var counts = ResourceCounts()
  /// The number of cancelled resources, which `counts.failed` includes.
  var cancelled = 0
  var recordCount = 0
  /// The number of records that were removed during the run, also by a reset of the library.
  private(set) var removedCount = 0
  /// The number of resources that keep an earlier version, because their reload has failed.
  private(set) var notReloaded = 0
  var failures: [Failure] = []
  /// The numbers in `list` of the records that may lack the cookies of their sources.
  private var numbersWithoutCookies: [Int] = []

  static func make(
    _ store: any LibraryReader, records: [RecordID], reloaded: Set<RecordID> = []
  ) async throws -> Summary {
    var summary = Summary()
    for id in records {
      guard let record = try await store.record(id) else {
        summary.removedCount += 1
        continue
      }
      summary.recordCount += 1
      summary.counts += record.counts
      if record.counts.failed > 0 {
        summary.cancelled += try await store.cancelledCount(of: record)
        try await summary.collect(record, store)
      }
      if reloaded.contains(id) { try await summary.collectFailedReloads(of: record, store) }
    }
    try await summary.findMissingCookies(store)
    return summary
  }

  private mutating func findMissingCookies(_ store: any LibraryReader) async throws {
    var ids = Set(failures.lazy.filter(\.resource.lacksCookies).map(\.resource.record))
    var offset = 0
    while !ids.isEmpty, case let page = try await store.records(offset: offset, limit: 500),
      !page.isEmpty
    {
      for (place, record) in page.enumerated() where ids.remove(record.id) != nil {
        numbersWithoutCookies.append(offset + place + 1)
      }
      offset += page.count
    }
  }

  private mutating func collect(_ record: Record, _ store: any LibraryReader) async throws {
    let limit = FailureReport.limit
    var offset = 0
    while failures.count < limit,
      case let page = try await store.resources(of: record.id, offset: offset, limit: 1_000),
      !page.isEmpty
    {
      offset += page.count
      for resource in page
      where resource.state == .failed && !resource.isCancelled && failures.count < limit {
        failures.append(Failure(title: record.title, resource: resource))
      }
    }
  }

  private mutating func collectFailedReloads(
    of record: Record, _ store: any LibraryReader
  ) async throws {
    var offset = 0
    while case let page = try await store.resources(of: record.id, offset: offset, limit: 1_000),
      !page.isEmpty
    {
      offset += page.count
      for resource in page
      where resource.state != .failed && ReloadRemark(in: resource.reason) != nil {
        notReloaded += 1
        if failures.count < FailureReport.limit {
          failures.append(Failure(title: record.title, resource: resource))
        }
      }
    }
  }

  func printSummary(_ context: Context) {
    let console = context.console
    for failure in failures {
      let reason = failure.resource.reason ?? "failed"
      console.printError("\(failure.title): \(failure.resource.url): \(reason)")
    }
    let unreportedCount = failed + notReloaded - failures.count
    if unreportedCount > 0 {
      console.printError("\(unreportedCount) more failed; see \(context.hint("show RECORD"))")
    }
    for number in numbersWithoutCookies {
      console.printNote(
        "\(context.hint("refresh \(number)")) gets the cookies again, and tries again what has failed"
      )
    }
    guard recordCount > 0 else { return }
    if context.invocation.flag("json") {
      console.exitingOnBrokenPipe(with: nil).print(
        JSONOutput.line(
          SummaryLine(
            event: "summary", records: recordCount, finished: counts.finished,
            failed: failed, cancelled: cancelled, unfinished: counts.total - counts.settled,
            notReloaded: notReloaded > 0 ? notReloaded : nil, bytes: counts.bytes,
            library: context.library)))
      return
    }
    console.printNote(sentence(context.library))
  }

  /// The number of failed resources, without the cancelled ones.
  var failed: Int { counts.failed - cancelled }

  /// Returns a count with its noun: `1 record`, `2 records`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private func sentence(_ library: String) -> String {
    let records = Self.count(recordCount, "record")
    var text = "\(records): \(counts.finished) of \(counts.total) finished"
    if failed > 0 { text += ", \(failed) failed" }
    if notReloaded > 0 { text += ", \(notReloaded) not reloaded" }
    if cancelled > 0 { text += ", \(cancelled) cancelled" }
    let left = counts.total - counts.settled
    if left > 0 { text += ", \(left) to go" }
    return text + ", \(ByteText.short(counts.bytes)) in \(library)"
  }
}

private struct SummaryLine: Encodable {
  let event: String
  let records: Int
  let finished: Int
  let failed: Int
  let cancelled: Int
  let unfinished: Int
  let notReloaded: Int?
  let bytes: Int64
  let library: String
}
