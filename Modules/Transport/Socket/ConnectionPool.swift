import Models

/// Who gets which connection: keep-alive connections are reused newest first, transfers wait in
/// order, and no origin has more connections than its limit, connections being made included.
///
/// A pure machine over identifiers: it opens, closes and times nothing.
struct ConnectionPool {
  typealias ConnectionID = UInt64
  typealias TransferID = UInt64

  enum Event {
    /// A transfer needs a connection; `limit` connections may exist to the origin.
    case wanted(TransferID, limit: Int)
    /// An exchange has ended and its connection can serve another one.
    case released(ConnectionID, at: UInt64)
    /// A connection in use, or one that was being made, is gone.
    case ended
    /// A reused connection died before it answered: the transfer takes a new one in its place.
    case renewed(TransferID)
    /// An idle connection is gone, or it is not trusted any more.
    case idleEnded(ConnectionID)
    /// A waiting transfer was cancelled.
    case abandoned(TransferID)
  }

  enum Action: Equatable {
    case use(ConnectionID, TransferID)
    case connect(TransferID)
    case none
  }

  private struct Idle {
    let connection: ConnectionID
    let since: UInt64
  }

  private struct Site {
    var inUse = 0
    var limit = 1
    var idle: [Idle] = []
    var waiting = Queue<TransferID>()

    var isEmpty: Bool { inUse == 0 && idle.isEmpty && waiting.isEmpty }
  }

  private var sites: [HTTPURL.Origin: Site] = [:]
  /// Idle connections to all origins.
  private(set) var idleCount = 0

  mutating func handle(_ event: Event, origin: HTTPURL.Origin) -> Action {
    var site = sites.removeValue(forKey: origin) ?? Site()
    let idleBefore = site.idle.count
    let action = Self.handle(event, &site)
    idleCount += site.idle.count - idleBefore
    if !site.isEmpty { sites[origin] = site }
    return action
  }

  private static func handle(_ event: Event, _ site: inout Site) -> Action {
    switch event {
    case .wanted(let transfer, let limit):
      site.limit = max(1, limit)
      if let idle = site.idle.popLast() {
        site.inUse += 1
        return .use(idle.connection, transfer)
      }
      guard site.inUse < site.limit else {
        site.waiting.append(transfer)
        return .none
      }
      site.inUse += 1
      return .connect(transfer)
    case .released(let connection, let now):
      if let next = site.waiting.popFirst() { return .use(connection, next) }
      site.inUse -= 1
      site.idle.append(Idle(connection: connection, since: now))
      return .none
    case .ended:
      if let next = site.waiting.popFirst() { return .connect(next) }
      site.inUse -= 1
      return .none
    case .renewed(let transfer):
      return .connect(transfer)
    case .idleEnded(let connection):
      site.idle.removeAll { $0.connection == connection }
      return .none
    case .abandoned(let transfer):
      site.waiting.remove(transfer)
      return .none
    }
  }

  /// The connection that has been idle for longest, over all origins. O(origins).
  func oldestIdle() -> (connection: ConnectionID, origin: HTTPURL.Origin)? {
    let oldest = sites.compactMap { origin, site in site.idle.first.map { ($0, origin) } }
      .min { $0.0.since < $1.0.since }
    return oldest.map { ($0.0.connection, $0.1) }
  }

  /// Connections to an origin, those being made included; for tests.
  func connectionCount(_ origin: HTTPURL.Origin) -> Int {
    sites[origin].map { $0.inUse + $0.idle.count } ?? 0
  }

  var isEmpty: Bool { sites.isEmpty }
}
