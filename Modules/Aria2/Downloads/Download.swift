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
  /// The URIs that have not been tried, without blanks around them.
  var waitingURIs: [String] { didSet { waitingBytes = Self.bytes(of: waitingURIs) } }
  private var waitingBytes: Int
  /// The options of this download, over those of the server.
  var options: OptionValues
  var status: Status
  /// Incremented when the transfer becomes another one, so that a resource which the library creates for an
  /// earlier order is not taken for that of the download.
  var revision = 0
  /// The resource of the library; nil before the first start and while the next URI has not been started.
  var resource: ResourceID?
  /// The absolute path of the folder of the record; nil before the library has created it.
  var folder: String?
  /// The absolute path of the file; nil before it is complete.
  var path: String?
  /// The size in bytes that the file must have; nil if it was not known when the download was added.
  let expectedBytes: Int64?
  /// The size in bytes; nil while it is unknown.
  var totalBytes: Int64?
  var completedBytes: Int64 = 0
  /// The number of connections that receive the file.
  var connections = 0
  /// The rate in bytes per second, over the last second or more.
  var bytesPerSecond = 0
  /// The time in seconds and the number of bytes at the last computation of the rate.
  var rateSample: (time: Double, bytes: Int64)?
  var errorCode: ErrorCode?
  var errorMessage: String?

  init(
    _ gid: GID, uris: [String], options: OptionValues, status: Status, expectedBytes: Int64? = nil
  ) {
    self.expectedBytes = expectedBytes
    totalBytes = expectedBytes
    self.gid = gid
    waitingURIs = uris
    waitingBytes = Self.bytes(of: uris)
    self.options = options
    self.status = status
  }

  var uris: [String] { (usedURI.map { [$0] } ?? []) + waitingURIs }

  /// The maximum number of URIs of a download.
  static let uriLimit = 1_000

  /// The maximum size of the download in the session file in bytes.
  var sessionBytes: Int {
    let linesBytes = 112  // The lines with the GID, the resource, the size and the state.
    return linesBytes + waitingBytes + (usedURI?.utf8.count ?? 0) + 1 + options.byteCount
  }

  private static func bytes(of uris: [String]) -> Int { uris.reduce(0) { $0 + $1.utf8.count + 1 } }

  /// Gives up the resource, because the transfer becomes another one.
  mutating func renewTransfer() {
    resource = nil
    folder = nil
    completedBytes = 0
    totalBytes = expectedBytes
    revision &+= 1
    endTransfer()
  }

  /// Forgets the result, because the resource is downloaded again.
  mutating func reopen() {
    status = .waiting
    (path, errorCode, errorMessage) = (nil, nil, nil)
    completedBytes = 0
    totalBytes = expectedBytes
  }

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

  /// Forgets the rate and the connections, because the transfer has ended or stopped.
  mutating func endTransfer() {
    connections = 0
    bytesPerSecond = 0
    rateSample = nil
  }
}
