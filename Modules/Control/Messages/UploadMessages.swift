import LibraryAPI
import Models

/// The response to `POST /v1/sources/upload`.
struct UploadMessage: Codable, Equatable {
  /// The id of the upload, for `POST /v1/sources`: 16 hexadecimal digits.
  var upload: String
  var byteCount: Int64
}

/// The body of `POST /v1/sources/preview`.
struct PreviewRequestMessage: Codable, Equatable {
  var upload: String
}

/// The response to `POST /v1/sources/preview`: the records that adding the source would create.
struct PreviewMessage: Codable, Equatable {
  struct List: Codable, Equatable {
    var title: String
    var entries: Int
  }

  /// The first records, at most `listLimit`.
  var records: [List] = []
  var recordCount = 0
  var entryCount = 0
  /// The number of entries whose URL occurs earlier in the source.
  var duplicateCount = 0
  /// The first URLs, at most `exampleLimit`.
  var examples: [String] = []
  /// One sentence for each entry that cannot be used, at most `problemLimit`.
  var problems: [String] = []
  var problemCount = 0

  static let listLimit = 20
  static let exampleLimit = 5
  static let problemLimit = 20
}

/// Counts the entries of a source.
struct PreviewCounts: Sendable {
  private(set) var message = PreviewMessage()
  /// The hashes of the URLs read so far: 8 bytes for each, since a list may have millions of URLs. The hash
  /// seed is random, so that a malicious list cannot provoke collisions, which would falsify the counts.
  private var seen: Set<Int> = []

  mutating func append(_ entry: PreviewEntry) {
    let (number, title) = (entry.record.number, entry.record.title)
    if number == message.recordCount {
      message.recordCount += 1
      if message.records.count < PreviewMessage.listLimit {
        message.records.append(
          PreviewMessage.List(title: CredentialMask.masked(title), entries: 0))
      }
    }
    if number < message.records.count { message.records[number].entries += 1 }
    message.entryCount += 1
    if !seen.insert(entry.url.hashValue).inserted { message.duplicateCount += 1 }
    if message.examples.count < PreviewMessage.exampleLimit {
      message.examples.append(CredentialMask.masked(entry.url))
    }
  }

  mutating func set(problems: [String]) {
    message.problemCount = problems.count
    message.problems = problems.prefix(PreviewMessage.problemLimit).map(CredentialMask.masked)
  }
}
