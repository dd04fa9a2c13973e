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
    var row = JSONLine()
    row.add("done", literal: "true")
    row.add("shard", shard.shard)
    row.add("count", shard.count)
    row.add("successes", counts[.success] ?? 0)
    row.add("failed_to_download", counts[.failedToDownload] ?? 0)
    row.add("failed_to_resize", counts[.failedToResize] ?? 0)
    row.add("status_dict", counts: messages.sorted { ($1.value, $0.key) < ($0.value, $1.key) })
    row.add("downloaded_bytes", Int(downloadedBytes))
    row.add("tar_bytes", Int(tarBytes))
    row.add("seconds", literal: "\((seconds * 1_000).rounded() / 1_000)")
    return row.finish()
  }

  /// Returns the line that says that the shard is not complete.
  public static func line(_ shard: ShardDescription, failed error: ShardError) -> [UInt8] {
    var row = JSONLine()
    row.add("failed", literal: "true")
    row.add("shard", shard.shard)
    row.add("error", error.description)
    return row.finish()
  }
}
