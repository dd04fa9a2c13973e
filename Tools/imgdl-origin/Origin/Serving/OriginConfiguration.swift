/// What an `OriginServer` serves, and with which delays and faults.
public struct OriginConfiguration: Sendable {
  /// The folder whose files are served under their paths; symbolic links in it are not followed.
  public var folder: String?
  /// The folder whose images are served as one series: `/series`, `/series/{id}/slice/{name}`.
  public var series: String?
  /// Loopback addresses to listen on, all with the same port.
  public var addresses = ["127.0.0.1"]
  /// The port to listen on; 0 lets the system choose one.
  public var port = 0
  /// The URL, without the path, that requests for missing files are redirected to; with `nil`
  /// they get 404.
  public var redirect: String?
  /// The delay before each response.
  public var latency = Duration.zero
  /// The maximum of the random additional delay, which makes responses arrive out of order.
  public var jitter = Duration.zero
  /// The body bytes per second on each connection; `nil` sends as fast as the client reads.
  public var rate: Int?
  /// The faults to inject; a response has at most one of them.
  public var faults: [FaultRate] = []
  /// The seed of the random choices. With the same seed the same requests get the same faults,
  /// independent of the order in which targets are requested.
  public var seed: UInt64 = 0
  /// The seconds in the Retry-After field of 429 and 503.
  public var retryAfter = 1
  /// The delay before each byte of a slow header section.
  public var slowHeaderInterval = Duration.milliseconds(100)
  /// The file that a line of JSON is appended to for each request.
  public var logFile: String?
  /// Whether `RequestLog.entries` is filled. A server that runs for days must not fill memory.
  public var keepsEntries = true

  public init(folder: String? = nil, series: String? = nil) {
    self.folder = folder
    self.series = series
  }
}

/// The share of responses that a fault is injected into.
public struct FaultRate: Sendable, Equatable {
  public let fault: Fault
  /// The share in percent, 0 to 100.
  public let percent: Double

  public init(_ fault: Fault, percent: Double) {
    self.fault = fault
    self.percent = percent
  }
}
