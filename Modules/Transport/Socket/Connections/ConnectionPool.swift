import Models

/// Assigns connections to transfers. Waiting transfers are served in order, and no origin has more
/// active transfers than its limit, including those whose connection is being established.
///
/// An HTTP/1.1 connection serves one transfer at a time and is idle in between; the connection that
/// became idle last is reused first. An HTTP/2 connection serves many transfers, each on a stream.
/// The protocol of a server is known after the TLS handshake, so the first transfer to a new origin
/// connects alone, and later transfers wait for the negotiated protocol.
///
/// An idle connection to a proxy that receives requests in absolute form belongs to the proxy and
/// serves any origin behind that proxy. The limits still apply per origin.
///
/// A pure state machine over identifiers: it neither opens nor closes connections, and has no
/// clock.
struct ConnectionPool {
  typealias ConnectionID = UInt64
  typealias TransferID = UInt64

  enum Event {
    /// A transfer needs a connection; at most `limit` transfers of the origin may be active.
    /// `proxy` is the proxy that receives the request in absolute form (RFC 9112 §3.2.2), the same
    /// one for all transfers of an origin.
    case wanted(TransferID, limit: Int, proxy: ProxyServer? = nil)
    /// A transfer has established an HTTP/1.1 connection and uses it.
    case connected
    /// A transfer has established an HTTP/2 connection and uses its first stream.
    case opened(ConnectionID, streams: Int)
    /// A connection could not be established.
    case attemptEnded
    /// An exchange has ended, and its connection can serve another one.
    case released(ConnectionID, at: UInt64)
    /// An HTTP/1.1 connection was closed during or after its exchange.
    case ended
    /// A reused connection was closed before the response; its transfer needs a new connection in
    /// its place.
    case reconnectNeeded(TransferID)
    /// An idle connection was closed or must not be reused. The event's origin is the one that the
    /// connection served last.
    case idleEnded(ConnectionID)
    /// A waiting transfer was cancelled.
    case abandoned(TransferID)
    /// A transfer has ended its stream; `isAnswered` means with a response of the server.
    case streamEnded(ConnectionID, at: UInt64, isAnswered: Bool = false)
    /// The server refused the stream without processing it; the transfer needs another stream and
    /// precedes all that came later. With `isFull` the server has no more streams now; `hasAnswered` means that the
    /// connection has answered a request before.
    case streamRefused(
      ConnectionID, TransferID, at: UInt64, isFull: Bool = false, hasAnswered: Bool = true)
    /// The server changed the number of streams that it allows at the same time.
    case streamLimitChanged(ConnectionID, streams: Int)
    /// An HTTP/2 connection was closed or accepts no more streams. Its transfers continue until
    /// they end.
    case retired(ConnectionID)
    /// The origin requires HTTP/1.1 from now on.
    case http1Required
    /// The server has answered on the connection that a request does not belong there. The origin needs a connection
    /// that was made afterwards.
    case misdirected(ConnectionID)
  }

  enum Action: Equatable {
    case use(ConnectionID, TransferID)
    case connect(TransferID)
    /// Open no more streams on the connection, which the pool does not assign any more.
    case retire(ConnectionID)
  }

  private struct Idle {
    let connection: ConnectionID
    let idleSince: UInt64
  }

  /// Whether a connection gets more streams, apart from their number.
  private enum Admission {
    case open
    /// The server has refused a stream, although its limit permitted the stream. No further streams are assigned until
    /// one of the others ends.
    case full
    /// The server has refused streams, has answered none, and there is none whose end could be awaited. Streams are
    /// assigned to other connections, unless no other one can be made.
    case refusing
  }

  private struct HTTP2Entry {
    let connection: ConnectionID
    var streams: Int
    var used = 1
    var idleSince: UInt64 = 0
    var admission = Admission.open

    var hasRoom: Bool { used < streams && admission == .open }
  }

  private struct OriginPool {
    /// The protocol of the origin; nil until the first connection has negotiated one.
    var negotiated: NegotiatedProtocol?
    /// The number of active transfers, including those whose connection is being established.
    var inUse = 0
    var connecting = 0
    var limit = 1
    var proxy: ProxyServer?
    /// The idle connections. Idle connections to a proxy are moved here only while an event is
    /// handled.
    var idle: [Idle] = []
    var http2Connections: [HTTP2Entry] = []
    /// The number of streams that the server has allowed last, which a new connection assumes until the
    /// server announces its limit again.
    var assumedStreams = Int.max
    /// Whether the origin has required HTTP/1.1. An attempt that was made before may still negotiate
    /// HTTP/2.
    var requiresHTTP1 = false
    /// The number of requests that were answered over HTTP/2.
    var answers = 0
    var waiting = Queue<TransferID>()

    var isEmpty: Bool { inUse == 0 && idle.isEmpty && http2Connections.isEmpty && waiting.isEmpty }

    var idleCount: Int { idle.count + http2Connections.count { $0.used == 0 } }

    /// Whether a waiting transfer may open a connection. While the protocol is unknown, a single
    /// connection determines whether the others need connections of their own.
    var mayConnect: Bool { negotiated == .http1 || connecting == 0 }
  }

  private static let maximumRemembered = 4_096

  private let http2: SocketOptions.HTTP2Use
  private var pools: [HTTPURL.Origin: OriginPool] = [:]
  /// The idle connections to each proxy.
  private var proxied: [ProxyServer: [Idle]] = [:]
  /// The protocols of origins that have no connection now.
  private var rememberedProtocols: [HTTPURL.Origin: NegotiatedProtocol] = [:]
  /// The number of idle connections to all origins.
  private(set) var idleCount = 0

  init(_ http2: SocketOptions.HTTP2Use = .off) { self.http2 = http2 }

  /// Handles an event and appends the resulting actions to `actions`.
  mutating func handle(
    _ event: Event, origin: HTTPURL.Origin, into actions: inout [Action]
  ) {
    // The origin's pool may have been discarded, and with it the name of the proxy, so the
    // connection is searched among the idle connections to all proxies.
    if case .idleEnded(let connection) = event, !proxied.isEmpty { removeIdle(connection) }
    guard let place = pools.index(forKey: origin) else {
      var pool = OriginPool(negotiated: expectedProtocol(of: origin))
      idleCount += Self.apply(event, &pool, &proxied, &actions).idle
      if pool.isEmpty { remember(pool.negotiated, of: origin) } else { pools[origin] = pool }
      return
    }
    // The pool is changed in place, because a busy origin has two events for each transfer.
    let change = Self.apply(event, &pools.values[place], &proxied, &actions)
    idleCount += change.idle
    guard change.isEmpty else { return }
    remember(pools.remove(at: place).value.negotiated, of: origin)
  }

  /// - Returns: The change of the number of idle connections, and whether the pool can be
  ///   discarded.
  private static func apply(
    _ event: Event, _ pool: inout OriginPool, _ proxied: inout [ProxyServer: [Idle]],
    _ actions: inout [Action]
  ) -> (idle: Int, isEmpty: Bool) {
    if case .wanted(_, _, let proxy) = event { pool.proxy = proxy }
    if let proxy = pool.proxy { pool.idle = proxied.removeValue(forKey: proxy) ?? [] }
    let idleBefore = pool.idleCount
    handle(event, &pool, &actions)
    serve(&pool, &actions)
    let added = pool.idleCount - idleBefore
    if let proxy = pool.proxy {
      if !pool.idle.isEmpty { proxied[proxy] = pool.idle }
      pool.idle = []
    }
    return (added, pool.isEmpty)
  }

  /// Removes the connection from the idle connections to proxies, if it is one of them. The idle
  /// connections to origins are in the entries of the origins.
  private mutating func removeIdle(_ connection: ConnectionID) {
    for (proxy, idle) in proxied {
      let rest = idle.filter { $0.connection != connection }
      guard rest.count < idle.count else { continue }
      idleCount -= idle.count - rest.count
      proxied[proxy] = rest.isEmpty ? nil : rest
    }
  }

  private func expectedProtocol(of origin: HTTPURL.Origin) -> NegotiatedProtocol? {
    switch http2 {
    case .off: .http1
    case .auto where origin.scheme == .http: .http1
    case .auto: rememberedProtocols[origin]
    case .priorKnowledge: rememberedProtocols[origin] ?? .http2
    }
  }

  private mutating func remember(_ negotiated: NegotiatedProtocol?, of origin: HTTPURL.Origin) {
    guard http2 != .off, let negotiated, rememberedProtocols[origin] != negotiated else { return }
    if rememberedProtocols.count >= Self.maximumRemembered, let any = rememberedProtocols.keys.first
    {
      rememberedProtocols.removeValue(forKey: any)
    }
    rememberedProtocols[origin] = negotiated
  }

  private static func handle(_ event: Event, _ pool: inout OriginPool, _ actions: inout [Action]) {
    switch event {
    case .wanted(let transfer, let limit, _):
      pool.limit = max(1, limit)
      pool.waiting.append(transfer)
    case .connected:
      pool.connecting -= 1
      pool.negotiated = .http1
    case .opened(let connection, let streams):
      pool.connecting -= 1
      guard !pool.requiresHTTP1 else { return actions.append(.retire(connection)) }
      pool.negotiated = .http2
      let streams = min(streams, pool.assumedStreams)
      pool.http2Connections.append(HTTP2Entry(connection: connection, streams: streams))
    case .attemptEnded:
      pool.connecting -= 1
      pool.inUse -= 1
      for index in pool.http2Connections.indices
      where pool.http2Connections[index].admission == .refusing {
        pool.http2Connections[index].admission = .open
      }
    case .released(let connection, let now):
      pool.inUse -= 1
      pool.idle.append(Idle(connection: connection, idleSince: now))
    case .ended:
      pool.inUse -= 1
    case .reconnectNeeded(let transfer):
      pool.connecting += 1
      actions.append(.connect(transfer))
    case .idleEnded(let connection):
      pool.idle.removeAll { $0.connection == connection }
    case .abandoned(let transfer):
      pool.waiting.remove(transfer)
    case .streamEnded(let connection, let now, let isAnswered):
      if isAnswered { pool.answers += 1 }
      endStream(connection, now, &pool) { $0.admission = .open }
    case .streamRefused(let connection, let transfer, let now, let isFull, let hasAnswered):
      endStream(connection, now, &pool) {
        guard isFull || $0.admission != .open else { return }
        // Without another stream there is none whose end could be awaited.
        $0.admission = $0.used > 0 ? .full : hasAnswered ? .open : .refusing
      }
      // Transfers are numbered in the order of their arrival.
      pool.waiting.insert(transfer) { $0 > transfer }
    case .streamLimitChanged(let connection, let streams):
      pool.assumedStreams = max(1, streams)
      updateShared(connection, &pool) {
        $0.streams = streams
        if $0.admission == .full { $0.admission = .open }
      }
    case .retired(let connection):
      pool.http2Connections.removeAll { $0.connection == connection }
    case .http1Required:
      pool.negotiated = .http1
      pool.requiresHTTP1 = true
      retireAll(&pool, &actions)
    case .misdirected(let connection):
      // An earlier answer of this kind has retired the connection, and all that were made before that answer.
      guard pool.http2Connections.contains(where: { $0.connection == connection }) else { return }
      retireAll(&pool, &actions)
    }
  }

  private static func retireAll(_ pool: inout OriginPool, _ actions: inout [Action]) {
    for entry in pool.http2Connections { actions.append(.retire(entry.connection)) }
    pool.http2Connections = []
  }

  private static func endStream(
    _ connection: ConnectionID, _ now: UInt64, _ pool: inout OriginPool,
    _ update: (inout HTTP2Entry) -> Void
  ) {
    pool.inUse -= 1
    updateShared(connection, &pool) {
      $0.used -= 1
      $0.idleSince = now
      update(&$0)
    }
  }

  private static func updateShared(
    _ connection: ConnectionID, _ pool: inout OriginPool, _ update: (inout HTTP2Entry) -> Void
  ) {
    guard let index = pool.http2Connections.firstIndex(where: { $0.connection == connection })
    else { return }
    update(&pool.http2Connections[index])
  }

  /// Assigns connections to waiting transfers.
  private static func serve(_ pool: inout OriginPool, _ actions: inout [Action]) {
    while pool.inUse < pool.limit, let next = pool.waiting.first {
      if let index = pool.http2Connections.firstIndex(where: \.hasRoom) {
        pool.http2Connections[index].used += 1
        actions.append(.use(pool.http2Connections[index].connection, next))
      } else if let idle = pool.idle.popLast() {
        actions.append(.use(idle.connection, next))
      } else if pool.mayConnect {
        pool.connecting += 1
        actions.append(.connect(next))
      } else {
        return
      }
      _ = pool.waiting.popFirst()
      pool.inUse += 1
    }
  }

  /// Returns the connection that has been idle longest, over all origins and proxies. O(number of
  /// origins).
  func oldestIdle() -> ConnectionID? {
    var oldest: Idle?
    for pool in pools.values {
      let unused = pool.http2Connections.lazy.filter { $0.used == 0 }.map {
        Idle(connection: $0.connection, idleSince: $0.idleSince)
      }
      for idle in pool.idle.prefix(1) + unused where idle.idleSince < oldest?.idleSince ?? .max {
        oldest = idle
      }
    }
    for idle in proxied.values.lazy.compactMap(\.first)
    where idle.idleSince < oldest?.idleSince ?? .max {
      oldest = idle
    }
    return oldest?.connection
  }

  /// Returns the number of requests that an origin has answered over HTTP/2, since the origin was last
  /// without transfers and connections.
  func answers(_ origin: HTTPURL.Origin) -> Int { pools[origin]?.answers ?? 0 }

  /// Returns the sum of an origin's active transfers and its idle HTTP/1.1 connections; for tests.
  func occupancy(_ origin: HTTPURL.Origin) -> Int {
    pools[origin].map { $0.inUse + $0.idle.count } ?? 0
  }

  var isEmpty: Bool { pools.isEmpty && proxied.isEmpty }
}
