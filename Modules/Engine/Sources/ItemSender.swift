import LibraryAPI
import Manifests

/// Sends the items of a document to a channel, entries and problems in batches. The entries of a batch are sorted
/// by their records, because a list may name another record for each entry, and each change of the record costs a
/// message and a transaction.
struct ItemSender {
  /// The number of entries that are sent at once.
  static let batchSize = 1_000
  /// The largest number of batches that are sorted together, if their entries belong to as many records.
  static let sortedBatches = 8
  /// The number of bytes of URLs after which entries are sent in any case.
  static let byteLimit = 8 << 20

  /// The entries of one record that are not yet sent. The record is nil before the document has named one.
  private struct Segment {
    let record: (title: String, key: String)?
    var entries: [ManifestEntry] = []
  }

  private var segments: [Segment] = []
  /// The index of the segment of the next entry; nil if there is none yet.
  private var current: Int?
  /// The indices of the segments by the keys of their records.
  private var indices: [String?: Int] = [:]
  private var entryCount = 0
  private var byteCount = 0
  /// The record of the next entry.
  private var record: (title: String, key: String)?
  /// The key of the record to which the receiver adds entries.
  private var receivingKey: String?
  /// Descriptions of unusable entries that are not yet sent.
  private var problems: [String] = []
  private var problemCount = 0
  /// The number of descriptions written so far; those beyond the limit would never be shown.
  private var sentenceCount = 0
  private let channel: ImportChannel

  init(_ channel: ImportChannel) { self.channel = channel }

  mutating func send(_ items: [ManifestItem]) throws {
    for item in items {
      switch item {
      case .entry(let entry):
        append(entry)
        let limit = Self.batchSize * min(segments.count, Self.sortedBatches)
        if entryCount >= limit || byteCount >= Self.byteLimit { try flush() }
      case .problem(let problem): try record(problem)
      case .nextPage(let next): try channel.send(.nextPage(next))
      case .referring(let policy): try channel.send(.referring(policy: policy))
      case .title(let title): try channel.send(.title(title))
      case .record(let title, let key):
        record = (title, key ?? title)
        current = indices[key ?? title]
      case .document(let url, let link): try channel.send(.document(url, link))
      case .series: break
      }
    }
  }

  private mutating func append(_ entry: ManifestEntry) {
    entryCount += 1
    byteCount += entry.mirrors.reduce(entry.address.utf8.count) { $0 + $1.utf8.count }
    if let current {
      segments[current].entries.append(entry)
    } else {
      current = segments.count
      indices[record?.key] = segments.count
      segments.append(Segment(record: record, entries: [entry]))
    }
  }

  /// Problems are sent in batches, as entries are, because each message wakes the importing task.
  private mutating func record(_ problem: ManifestProblem) throws {
    problemCount += 1
    if sentenceCount < AddResult.problemLimit {
      sentenceCount += 1
      problems.append(problem.description)
    }
    if problemCount >= Self.batchSize { try flushProblems() }
  }

  private mutating func flushProblems() throws {
    guard problemCount > 0 else { return }
    try channel.send(.problems(problems, count: problemCount))
    problems = []
    problemCount = 0
  }

  /// Sends the entries and problems that are not yet sent.
  mutating func flush() throws {
    try flushProblems()
    let unsent = segments
    segments = []
    indices = [:]
    current = nil
    (entryCount, byteCount) = (0, 0)
    for segment in unsent {
      if let (title, key) = segment.record, key != receivingKey {
        try channel.send(.record(title: title, key: key))
        receivingKey = key
      }
      for start in stride(from: 0, to: segment.entries.count, by: Self.batchSize) {
        try channel.send(.entries(Array(segment.entries[start...].prefix(Self.batchSize))))
      }
    }
  }
}
