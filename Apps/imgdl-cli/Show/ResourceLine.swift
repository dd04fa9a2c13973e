import Models

/// A resource in machine-readable form.
struct ResourceLine: Encodable {
  let index: Int
  let url: String
  let status: String
  var reason: String?
  var file: String?
  var bytes: Int64?
  var sha256: String?
  var format: String?
  var pages: Int
  var milliseconds: Double?
  var phases: Phases?

  struct Phases: Encodable {
    let queue: Double?
    let dns: Double?
    let connect: Double?
    let tls: Double?
    let request: Double?
    let firstByte: Double?
    let lastByte: Double?
  }

  init(_ resource: Resource, in record: Record) {
    index = resource.index
    url = resource.url
    status = resource.state.rawValue
    reason = resource.reason.map(CredentialMask.masked)
    pages = resource.pageCount
    guard let stored = resource.file else { return }
    file = "\(record.folder)/\(stored.name)"
    bytes = stored.byteCount
    sha256 = stored.digest.description
    format = stored.format.rawValue
    let timings = stored.timings
    milliseconds = timings.duration.map(Self.rounded)
    phases = Phases(
      queue: timings.queue.map(Self.rounded), dns: timings.dns.map(Self.rounded),
      connect: timings.connect.map(Self.rounded), tls: timings.tls.map(Self.rounded),
      request: timings.request.map(Self.rounded),
      firstByte: timings.firstByte.map(Self.rounded),
      lastByte: timings.lastByte.map(Self.rounded))
  }

  /// To a microsecond.
  private static func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }
}
