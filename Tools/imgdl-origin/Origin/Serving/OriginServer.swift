import HTTP1
import Models

/// A small HTTP/1.1 server on the loopback interface for development and tests: a folder, a series,
/// ranges and validators, and on request slowness and faults of many kinds.
///
/// It listens when `init` returns, and stops with `stop()` or when it is released.
public final class OriginServer: Sendable {
  /// What the server did, request by request.
  public let log: RequestLog
  private let listener: Listener
  private let address: String

  public init(_ configuration: OriginConfiguration) throws(OriginError) {
    let log = try RequestLog(file: configuration.logFile, keepsEntries: configuration.keepsEntries)
    let site = try Site(configuration)
    let plan = try FaultPlan(configuration.faults, seed: configuration.seed)
    listener = try Listener(addresses: configuration.addresses, port: configuration.port) {
      var exchange = Exchange($0, configuration, site, plan, log)
      exchange.run()
    }
    self.log = log
    address = configuration.addresses.first ?? "127.0.0.1"
  }

  public var port: Int { listener.port }

  /// The root, as in `http://127.0.0.1:8080/`.
  public var url: String {
    address.utf8.contains(0x3a) ? "http://[\(address)]:\(port)/" : "http://\(address):\(port)/"
  }

  /// Connections accepted so far.
  public var connectionCount: Int { listener.accepted }

  /// Ends all connections and waits until their threads have gone; the log is complete then.
  public func stop() { listener.stop() }
}

/// The exchanges of one connection, on its thread.
private struct Exchange {
  private let connection: Connection
  private let configuration: OriginConfiguration
  private let site: Site
  private let plan: FaultPlan
  private let log: RequestLog
  private var reader: RequestReader
  /// The Date field changes once a second.
  private var date = (second: Int64(-1), text: "")

  init(
    _ connection: Connection, _ configuration: OriginConfiguration, _ site: Site, _ plan: FaultPlan,
    _ log: RequestLog
  ) {
    self.connection = connection
    self.configuration = configuration
    self.site = site
    self.plan = plan
    self.log = log
    reader = RequestReader(connection)
  }

  mutating func run() {
    while let request = reader.next() {
      let start = Moment.now
      let sequence = log.nextSequence()
      let target = request.head?.target ?? ""
      let fate = plan.fate(of: target)
      wait(fate)
      let reply =
        request.head.map { site.reply(to: $0, fate) }
        ?? Reply(status: 400, text: "\(request.error?.description ?? "bad request")\n")
      let closes = !request.allowsReuse || fate.fault == .close
      var delivery = Delivery(
        connection, rate: configuration.rate, slowHeaderInterval: configuration.slowHeaderInterval)
      let ending = delivery.send(
        head(of: reply, closes: closes, fate.fault), reply.body,
        includesBody: request.head?.method != "HEAD", fate)
      log.append(
        RequestLog.Entry(
          sequence: sequence, connection: connection.index, method: request.head?.method ?? "",
          target: target, host: request.head?.fields["Host"] ?? "",
          range: request.head?.fields["Range"], status: reply.status,
          bytes: delivery.sent, isComplete: delivery.isComplete, fault: fate.fault, start: start,
          end: .now))
      if end(ending, closes: closes) { return }
    }
  }

  private func wait(_ fate: FaultPlan.Fate) {
    let time =
      configuration.latency.milliseconds + configuration.jitter.milliseconds * fate.delay
    if time > 0 { _ = connection.stop.wait(milliseconds: Int(time.rounded())) }
  }

  /// Whether the connection is over.
  private func end(_ ending: Delivery.Ending, closes: Bool) -> Bool {
    switch ending {
    case .keep where !closes: return false
    case .keep, .finish: connection.finish()
    case .reset: connection.reset()
    case .stall: Signal.waitForAny([connection.stop], orEndOf: connection.descriptor)
    }
    return true
  }

  private mutating func head(of reply: Reply, closes: Bool, _ fault: Fault?) -> [UInt8] {
    var fields = HTTPFields()
    fields.append("Date", currentDate())
    fields.append("Server", "imgdl-origin")
    for field in reply.fields.fields { fields.append(field.name, field.value) }
    if fault == .badChunk || fault == .bothLengths {
      fields.append("Transfer-Encoding", "chunked")
    }
    if fault != .badChunk && reply.status != 304 {
      fields.append("Content-Length", String(reply.body.count))
    }
    if closes { fields.append("Connection", "close") }
    // The fields are ours: there is nothing in them that could be refused.
    let message = ResponseHeadMessage(status: reply.status, fields: fields)
    return (try? ResponseSerializer.bytes(message)) ?? []
  }

  private mutating func currentDate() -> String {
    let second = Int64(Moment.now.wall / 1_000)
    if second != date.second { date = (second, HTTPDate.format(second)) }
    return date.text
  }
}
