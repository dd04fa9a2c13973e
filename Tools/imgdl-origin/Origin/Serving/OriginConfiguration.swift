/// What an `OriginServer` serves and how badly.
public struct OriginConfiguration: Sendable {
  /// The folder whose files are served under their paths; symbolic links in it are not followed.
  public var folder: String?
  /// The folder whose images are served as one series: `/series`, `/series/{id}/slice/{name}`.
  public var series: String?
  /// Loopback addresses to listen on, all with the same port.
  public var addresses = ["127.0.0.1"]
  /// 0 lets the system choose.
  public var port = 0
  /// Where requests for what is not there are redirected to, without the path; `nil`: they get 404.
  public var redirect: String?
  /// Waited before each response.
  public var latency = Duration.zero
  /// Up to so much more is waited at random, so that responses arrive in another order.
  public var jitter = Duration.zero
  /// Bytes of body a second and connection; `nil` sends as fast as the client reads.
  public var rate: Int?
  /// At most one of them strikes a response.
  public var faults: [FaultRate] = []
  /// The same seed gives the same faults to the same requests, in whatever order targets are asked.
  public var seed: UInt64 = 0
  /// Seconds in the Retry-After of 429 and 503.
  public var retryAfter = 1
  /// Waited before each byte of a slow header.
  public var slowHeaderInterval = Duration.milliseconds(100)
  /// Where one line of JSON a request is appended.
  public var logFile: String?
  /// Whether `RequestLog.entries` is filled; a server that runs for days does without.
  public var keepsEntries = true

  public init(folder: String? = nil, series: String? = nil) {
    self.folder = folder
    self.series = series
  }
}

/// How often a fault strikes.
public struct FaultRate: Sendable, Equatable {
  public let fault: Fault
  /// 0 to 100.
  public let percent: Double

  public init(_ fault: Fault, percent: Double) {
    self.fault = fault
    self.percent = percent
  }
}
