import Models

/// One download, from `addUri` until its result is removed.
struct Download: Sendable {
  enum Status: String, Sendable {
    case active, waiting, paused, error, complete, removed

    /// Whether the download has ended, so that only its result is left.
    var isStopped: Bool { self == .error || self == .complete || self == .removed }
  }

  let gid: GID
  /// The URI that is or was downloaded; nil before the first start.
  var usedURI: String?
  /// The URIs that have not been tried.
  var waitingURIs: [String]
  /// The options of this download, over those of the server.
  var options: OptionValues
  var status: Status
  /// The resource of the library; nil before the first start and while the next URI has not been started.
  var resource: ResourceID?
  /// The absolute path of the folder of the record; nil before the library has created it.
  var folder: String?
  /// The absolute path of the file; nil before it is complete.
  var path: String?
  /// The size in bytes; nil while it is unknown.
  var totalBytes: Int64?
  var completedBytes: Int64 = 0
  /// The rate in bytes per second, over the last second or more.
  var bytesPerSecond = 0
  /// The time in seconds and the number of bytes at the last computation of the rate.
  var rateSample: (time: Double, bytes: Int64)?
  var errorCode: ErrorCode?
  var errorMessage: String?

  init(_ gid: GID, uris: [String], options: OptionValues, status: Status) {
    self.gid = gid
    waitingURIs = uris
    self.options = options
    self.status = status
  }

  var uris: [String] { (usedURI.map { [$0] } ?? []) + waitingURIs }

  /// Counts received bytes.
  /// - Parameter now: The time in seconds of a monotonic clock.
  mutating func update(received: Int64, expected: Int64?, now: Double) {
    completedBytes = max(0, received)
    totalBytes = expected ?? totalBytes
    guard let sample = rateSample else {
      rateSample = (now, completedBytes)
      return
    }
    let seconds = now - sample.time
    guard seconds >= 1 else { return }
    let bytes = Double(max(0, completedBytes &- sample.bytes))
    bytesPerSecond = Int(min(bytes / seconds, 1e15))
    rateSample = (now, completedBytes)
  }

  /// Forgets the rate, because the transfer has ended or stopped.
  mutating func endTransfer() {
    bytesPerSecond = 0
    rateSample = nil
  }
}
