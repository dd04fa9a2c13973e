import JSON

/// The totals of a shard, which end its report.
public struct ShardTotals: Sendable {
  /// The maximum number of different messages that are counted.
  static let maximumMessages = 100_000

  private var counts: [SampleReport.Status: Int] = [:]
  private var messages: [String: Int] = [:]
  public var downloadedBytes: Int64 = 0
  public var tarBytes: Int64 = 0
  public var seconds = 0.0

  public init() {}

  public mutating func add(_ report: SampleReport) {
    counts[report.status, default: 0] += 1
    let message = report.message ?? report.status.rawValue
    if messages[message] != nil || messages.count < Self.maximumMessages {
      messages[message, default: 0] += 1
    }
  }

  /// Returns the line that says that the shard is complete.
  public func line(_ shard: ShardDescription) -> [UInt8] {
    let messages = messages.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let row: JSONValue = [
      "done": .bool(true), "shard": .integer(shard.shard), "count": .integer(shard.count),
      "successes": .integer(counts[.success] ?? 0),
      "failed_to_download": .integer(counts[.failedToDownload] ?? 0),
      "failed_to_resize": .integer(counts[.failedToResize] ?? 0),
      "status_dict": .object(messages.map { .init($0.key, .integer($0.value)) }),
      "downloaded_bytes": .integer(Int(downloadedBytes)), "tar_bytes": .integer(Int(tarBytes)),
      "seconds": .number("\((seconds * 1_000).rounded() / 1_000)"),
    ]
    return row.line
  }

  /// Returns the line that says that the shard is not complete.
  public static func line(_ shard: ShardDescription, failed error: ShardError) -> [UInt8] {
    let row: JSONValue = [
      "failed": .bool(true), "shard": .integer(shard.shard), "error": .string(error.description),
    ]
    return row.line
  }
}
