import LibraryAPI
import Manifests

/// Sends the items of a document to a channel, entries and problems in batches.
struct ItemSender {
  /// The number of entries that are sent at once.
  static let batchSize = 1_000

  private var batch: [ManifestEntry] = []
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
        batch.append(entry)
        if batch.count >= Self.batchSize { try flush() }
      case .problem(let problem): try record(problem)
      case .nextPage(let next): try channel.send(.nextPage(next))
      case .title(let title): try channel.send(.title(title))
      case .record(let title):
        try flush()
        try channel.send(.record(title: title))
      case .document(let url, let link): try channel.send(.document(url, link))
      case .series: break
      }
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
    guard !batch.isEmpty else { return }
    try channel.send(.entries(batch))
    batch = []
  }
}
