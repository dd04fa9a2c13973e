import LibraryAPI
import Models
import Persistence

/// What is in a library, without the numbers that depend on the order in which things were written.
struct InterleavingOutcome: Equatable, CustomStringConvertible {
  struct Row: Equatable, CustomStringConvertible {
    let url: String
    let state: ResourceState
    let reason: String?
    let bytes: Int64?
    let digest: Digest?
    let mustReload: Bool
    let pageCount: Int

    var description: String {
      "\(url.suffix(10)) \(state) \(reason ?? "")\(mustReload ? " to be reloaded" : "")"
        + " \(bytes.map { "\($0)" } ?? "no") bytes, \(pageCount) pages"
    }
  }

  struct List: Equatable, CustomStringConvertible {
    let title: String
    var isPaused: Bool
    let priority: RecordPriority
    var counts: ResourceCounts
    var rows: [Row]

    var description: String {
      "\(title), \(priority)\(isPaused ? ", paused" : ""), \(counts)\n"
        + rows.map { "    \($0)" }.joined(separator: "\n")
    }
  }

  /// By title.
  var lists: [List] = []
  /// What the verbs answered.
  var answers: [String] = []
  var callersRows: [Row] = []
  var state: LibraryState

  var description: String {
    var lines = answers + ["\(state)"]
    lines += lists.map(\.description)
    lines.append("of callers: \(callersRows)")
    return lines.joined(separator: "\n")
  }

  init(_ lab: Lab) async throws {
    state = try await lab.disk.libraryState()
    for record in try await lab.records() {
      lists.append(
        List(
          title: record.title, isPaused: record.isPaused, priority: record.priority,
          counts: record.counts, rows: try await Self.rows(record, lab)))
    }
    lists.sort { $0.title < $1.title }
    if let standalone = try await lab.disk.standaloneRecord() {
      callersRows = try await Self.rows(standalone, lab).sorted { $0.url < $1.url }
    }
  }

  /// Leaves what may differ from run to run where things arrive while verbs are at work.
  /// - Parameters:
  ///   - uncertain: titles of records some of whose resources may come to one of several ends.
  ///   - isIdle: all have come to their ends.
  mutating func leaveTimingOut(of uncertain: Set<String>, isIdle: Bool) {
    state.isPaused = false
    callersRows = []
    for index in lists.indices {
      lists[index].isPaused = false
      guard !isIdle || uncertain.contains(lists[index].title) else { continue }
      var counts = ResourceCounts()
      counts.queued = lists[index].counts.total
      lists[index].counts = counts
      lists[index].rows = []
    }
  }

  private static func rows(_ record: Record, _ lab: Lab) async throws -> [Row] {
    var rows: [Row] = []
    for resource in try await lab.resources(record) {
      rows.append(
        Row(
          url: resource.url, state: resource.state, reason: resource.reason,
          bytes: resource.file?.byteCount, digest: resource.file?.digest,
          mustReload: resource.mustReload,
          pageCount: try await lab.disk.pages(of: resource.id).count))
    }
    return rows
  }
}
