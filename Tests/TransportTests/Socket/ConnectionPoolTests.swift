import Models
import Testing

@testable import TransportSocket

@Suite("Connection pool")
struct ConnectionPoolTests {
  private let origin = HTTPURL.Origin(scheme: .http, host: "a.example", port: 80)
  private let other = HTTPURL.Origin(scheme: .https, host: "a.example", port: 443)

  /// What the pool does about an event.
  private func handle(
    _ pool: inout ConnectionPool, _ event: ConnectionPool.Event, _ site: HTTPURL.Origin? = nil
  ) -> [ConnectionPool.Action] {
    var actions: [ConnectionPool.Action] = []
    pool.handle(event, origin: site ?? origin, into: &actions)
    return actions
  }

  @Test("A transfer gets a new connection up to the limit, then waits in order")
  func limit() {
    var pool = ConnectionPool()
    #expect(handle(&pool, .wanted(1, limit: 2)) == [.connect(1)])
    #expect(handle(&pool, .wanted(2, limit: 2)) == [.connect(2)])
    #expect(handle(&pool, .wanted(3, limit: 2)) == [])
    #expect(handle(&pool, .wanted(4, limit: 2)) == [])
    #expect(handle(&pool, .wanted(5, limit: 2), other) == [.connect(5)])
    #expect(pool.occupancy(origin) == 2)
    #expect(handle(&pool, .released(100, at: 1)) == [.use(100, 3)])
    #expect(handle(&pool, .ended) == [.connect(4)])
    #expect(pool.occupancy(origin) == 2)
  }

  @Test("The newest idle connection is reused first, and the oldest is known")
  func reuse() {
    var pool = ConnectionPool()
    for id: UInt64 in 1...3 { #expect(handle(&pool, .wanted(id, limit: 4)) == [.connect(id)]) }
    for id: UInt64 in 1...3 { #expect(handle(&pool, .released(100 + id, at: 10 * id)) == []) }
    #expect(pool.idleCount == 3)
    #expect(pool.oldestIdle() == 101)
    #expect(handle(&pool, .wanted(4, limit: 4)) == [.use(103, 4)])
    #expect(handle(&pool, .idleEnded(101)) == [])
    #expect(handle(&pool, .wanted(5, limit: 4)) == [.use(102, 5)])
    #expect(handle(&pool, .wanted(6, limit: 4)) == [.connect(6)])
    #expect(pool.idleCount == 0)
    #expect(pool.oldestIdle() == nil)
  }

  @Test("A retry replaces the connection that died")
  func renewal() {
    var pool = ConnectionPool()
    #expect(handle(&pool, .wanted(1, limit: 1)) == [.connect(1)])
    #expect(handle(&pool, .wanted(2, limit: 1)) == [])
    #expect(handle(&pool, .reconnectNeeded(1)) == [.connect(1)])
    #expect(pool.occupancy(origin) == 1)
    #expect(handle(&pool, .released(100, at: 1)) == [.use(100, 2)])
  }

  @Test("A cancelled transfer is skipped")
  func abandoning() {
    var pool = ConnectionPool()
    for id: UInt64 in 1...4 { _ = handle(&pool, .wanted(id, limit: 1)) }
    #expect(handle(&pool, .abandoned(2)) == [])
    #expect(handle(&pool, .ended) == [.connect(3)])
    #expect(handle(&pool, .abandoned(4)) == [])
    #expect(handle(&pool, .ended) == [])
    #expect(pool.occupancy(origin) == 0)
  }

  @Test("An idle connection to a proxy is for every origin behind it; limits are those of origins")
  func proxied() throws {
    let proxy = try ProxyServer("http://proxy.example:3128")
    let another = try ProxyServer("http://me:secret@proxy.example:3128")
    let (b, c) = (
      HTTPURL.Origin(scheme: .http, host: "b.example", port: 80),
      HTTPURL.Origin(scheme: .http, host: "c.example", port: 80)
    )
    var pool = ConnectionPool()
    #expect(handle(&pool, .wanted(1, limit: 1, proxy: proxy)) == [.connect(1)])
    #expect(handle(&pool, .wanted(2, limit: 1, proxy: proxy)) == [])
    #expect(handle(&pool, .wanted(3, limit: 1, proxy: proxy), b) == [.connect(3)])
    #expect(handle(&pool, .released(101, at: 1), b) == [])
    #expect(handle(&pool, .ended) == [.use(101, 2)])
    #expect(handle(&pool, .released(101, at: 2)) == [])
    #expect(pool.idleCount == 1 && pool.oldestIdle() == 101)
    // Not to others, nor directly, nor under another name.
    #expect(handle(&pool, .wanted(4, limit: 1)) == [.connect(4)])
    #expect(handle(&pool, .wanted(5, limit: 1), other) == [.connect(5)])
    #expect(handle(&pool, .wanted(6, limit: 1, proxy: another), c) == [.connect(6)])
    #expect(handle(&pool, .ended, c) == [])
    #expect(handle(&pool, .wanted(7, limit: 1, proxy: proxy), c) == [.use(101, 7)])
    #expect(pool.idleCount == 0 && pool.oldestIdle() == nil)
    #expect(handle(&pool, .released(101, at: 3), c) == [])
    for site in [origin, other] { _ = handle(&pool, .ended, site) }
    // Its last origin has nothing else.
    #expect(handle(&pool, .idleEnded(101), c) == [])
    #expect(pool.idleCount == 0 && pool.isEmpty)
  }

  @Test("An origin without connections and transfers leaves nothing behind")
  func noTraces() {
    var pool = ConnectionPool()
    for number in 0..<1_000 {
      let origin = HTTPURL.Origin(scheme: .http, host: "h\(number)", port: 80)
      #expect(handle(&pool, .wanted(1, limit: 1), origin) == [.connect(1)])
      _ = handle(&pool, .ended, origin)
    }
    #expect(pool.isEmpty)
  }

  @Test("If HTTP/2 is possible, the first transfer determines the protocol for those that wait")
  func negotiation() {
    var pool = ConnectionPool(.auto)
    #expect(handle(&pool, .wanted(1, limit: 9), other) == [.connect(1)])
    #expect(handle(&pool, .wanted(2, limit: 9), other) == [])
    #expect(handle(&pool, .wanted(3, limit: 9), other) == [])
    #expect(handle(&pool, .attemptEnded, other) == [.connect(2)])
    #expect(handle(&pool, .opened(100, streams: 2), other) == [.use(100, 3)])
    #expect(handle(&pool, .wanted(4, limit: 9), other) == [.connect(4)])
    #expect(handle(&pool, .streamEnded(100, at: 1), other) == [])
    #expect(handle(&pool, .wanted(5, limit: 9), other) == [.use(100, 5)])
    #expect(handle(&pool, .streamLimitChanged(100, streams: 3), other) == [])
    #expect(handle(&pool, .wanted(6, limit: 9), other) == [.use(100, 6)])
    // Without TLS the protocol cannot be negotiated.
    #expect(handle(&pool, .wanted(7, limit: 9)) == [.connect(7)])
    #expect(handle(&pool, .wanted(8, limit: 9)) == [.connect(8)])
  }

  @Test("If a server chooses HTTP/1.1, all waiting transfers connect, and the choice is remembered")
  func singleServer() {
    var pool = ConnectionPool(.auto)
    for id: UInt64 in 1...4 { _ = handle(&pool, .wanted(id, limit: 3), other) }
    #expect(handle(&pool, .connected, other) == [.connect(2), .connect(3)])
    for _ in 0..<3 { _ = handle(&pool, .ended, other) }
    _ = handle(&pool, .ended, other)
    #expect(pool.isEmpty)
    #expect(handle(&pool, .wanted(5, limit: 3), other) == [.connect(5)])
    #expect(handle(&pool, .wanted(6, limit: 3), other) == [.connect(6)])
  }

  @Test("An HTTP/2 connection with GOAWAY keeps its streams and gets no new ones")
  func retirement() {
    var pool = ConnectionPool(.auto)
    _ = handle(&pool, .wanted(1, limit: 9), other)
    _ = handle(&pool, .opened(100, streams: 10), other)
    #expect(handle(&pool, .wanted(2, limit: 9), other) == [.use(100, 2)])
    #expect(handle(&pool, .retired(100), other) == [])
    #expect(handle(&pool, .wanted(3, limit: 9), other) == [.connect(3)])
    #expect(handle(&pool, .wanted(4, limit: 9), other) == [])
    #expect(handle(&pool, .streamRefused(100, 2, at: 1), other) == [])
    // Who was refused is before who came later.
    #expect(
      handle(&pool, .opened(101, streams: 10), other) == [.use(101, 2), .use(101, 4)])
    #expect(pool.occupancy(other) == 4)
    for connection: UInt64 in [100, 101, 101, 101] {
      #expect(handle(&pool, .streamEnded(connection, at: 2), other) == [])
    }
    #expect(pool.idleCount == 1)
    #expect(pool.oldestIdle() == 101)
    #expect(handle(&pool, .retired(101), other) == [])
    #expect(pool.isEmpty)
  }

  @Test("A refused stream waits for the end of another one, and keeps its place in the queue")
  func fullConnection() {
    var pool = ConnectionPool(.auto)
    _ = handle(&pool, .wanted(1, limit: 3), other)
    for id: UInt64 in 2...4 { _ = handle(&pool, .wanted(id, limit: 3), other) }
    #expect(handle(&pool, .opened(100, streams: 9), other) == [.use(100, 2), .use(100, 3)])
    // No stream is left for another transfer, although the server's limit is higher.
    #expect(handle(&pool, .streamRefused(100, 3, at: 1, isFull: true), other) == [.connect(3)])
    #expect(handle(&pool, .attemptEnded, other) == [.connect(4)])
    #expect(handle(&pool, .streamRefused(100, 2, at: 2, isFull: true), other) == [])
    _ = handle(&pool, .wanted(5, limit: 3), other)
    #expect(handle(&pool, .streamEnded(100, at: 3), other) == [.use(100, 2), .use(100, 5)])
    // The last stream has none whose end could be awaited.
    for id: UInt64 in [5, 2] {
      _ = handle(&pool, .streamRefused(100, id, at: 4, isFull: true, hasAnswered: true), other)
    }
    #expect(pool.occupancy(other) == 3)
  }

  @Test("A connection that has refused all its streams gets more only if no other one can be made")
  func refusingConnection() {
    var pool = ConnectionPool(.auto)
    for id: UInt64 in 1...3 { _ = handle(&pool, .wanted(id, limit: 3), other) }
    #expect(handle(&pool, .opened(100, streams: 9), other) == [.use(100, 2), .use(100, 3)])
    func refused(_ connection: UInt64, _ transfer: UInt64) -> ConnectionPool.Event {
      .streamRefused(connection, transfer, at: 1, isFull: true, hasAnswered: false)
    }
    #expect(handle(&pool, refused(100, 1), other) == [.connect(1)])
    #expect(handle(&pool, refused(100, 2), other) == [])
    // No stream of the connection is left, but another connection is being made.
    #expect(handle(&pool, refused(100, 3), other) == [])
    #expect(handle(&pool, .streamLimitChanged(100, streams: 9), other) == [])
    #expect(handle(&pool, .opened(101, streams: 9), other) == [.use(101, 2), .use(101, 3)])
    for id: UInt64 in 1...3 { _ = handle(&pool, refused(101, id), other) }
    // The attempt of transfer 1 fails.
    #expect(handle(&pool, .attemptEnded, other) == [.use(100, 2), .use(100, 3)])
    #expect(pool.occupancy(other) == 2)
  }

  @Test("A misdirected request retires the connections that were made before the answer")
  func misdirection() {
    var pool = ConnectionPool(.auto)
    for id: UInt64 in 1...4 { _ = handle(&pool, .wanted(id, limit: 9), other) }
    #expect(handle(&pool, .opened(100, streams: 2), other) == [.use(100, 2), .connect(3)])
    #expect(handle(&pool, .opened(101, streams: 2), other) == [.use(101, 4)])
    #expect(handle(&pool, .misdirected(100), other) == [.retire(100), .retire(101)])
    #expect(handle(&pool, .streamRefused(100, 1, at: 1), other) == [.connect(1)])
    #expect(handle(&pool, .opened(102, streams: 2), other) == [])
    for (connection, id): (UInt64, UInt64) in [(100, 2), (101, 3)] {
      #expect(handle(&pool, .misdirected(connection), other) == [])
      _ = handle(&pool, .streamRefused(connection, id, at: 2), other)
    }
    #expect(pool.occupancy(other) == 4)
  }

  @Test("A new connection gets as many streams as the server has allowed before")
  func rememberedLimit() {
    var pool = ConnectionPool(.auto)
    for id: UInt64 in 1...6 { _ = handle(&pool, .wanted(id, limit: 9), other) }
    _ = handle(&pool, .opened(100, streams: 2), other)
    _ = handle(&pool, .streamLimitChanged(100, streams: 2), other)
    #expect(handle(&pool, .opened(101, streams: 100), other) == [.use(101, 4), .connect(5)])
  }

  @Test("An origin that requires HTTP/1.1 gets no more streams, on no connection")
  func requiredHTTP1() {
    var pool = ConnectionPool(.auto)
    for id: UInt64 in 1...4 { _ = handle(&pool, .wanted(id, limit: 3), other) }
    #expect(handle(&pool, .opened(100, streams: 1), other) == [.connect(2)])
    #expect(
      handle(&pool, .http1Required, other) == [.retire(100), .connect(3)])
    // The attempt of transfer 2 had offered HTTP/2 before.
    #expect(handle(&pool, .opened(101, streams: 9), other) == [.retire(101)])
    #expect(handle(&pool, .streamRefused(101, 2, at: 1), other) == [.connect(2)])
    for _ in 0..<2 { _ = handle(&pool, .connected, other) }
    #expect(pool.occupancy(other) == 3)
  }

  @Test("For any order of events the limit holds and no transfer is forgotten", arguments: 0..<20)
  func randomEvents(seed: Int) {
    var random = Sequence64(seed: UInt64(seed))
    var model = PoolModel(limit: 3, streams: 2, speaksHTTP2: seed % 2 == 1)
    for _ in 0..<2_000 {
      model.step(&random)
      #expect(model.atWork <= 3)
      #expect(model.violations == [])
      #expect(model.isServed, "somebody waits although there is room")
    }
  }
}

/// A pool with servers of one kind and transfers that come, go and meet every accident.
private struct PoolModel {
  private let origin: HTTPURL.Origin
  private let limit: Int
  private let streams: Int
  private let speaksHTTP2: Bool
  private var pool: ConnectionPool
  private var waiting: [UInt64] = []
  private var connecting: [UInt64] = []
  /// Transfer and its connection.
  private var busy: [UInt64: UInt64] = [:]
  private var idle: [UInt64] = []
  private var open: Set<UInt64> = []
  private var next: UInt64 = 0
  private(set) var violations: [String] = []

  init(limit: Int, streams: Int, speaksHTTP2: Bool) {
    self.limit = limit
    self.streams = streams
    self.speaksHTTP2 = speaksHTTP2
    origin = HTTPURL.Origin(scheme: .https, host: "a.example", port: 443)
    pool = ConnectionPool(speaksHTTP2 ? .auto : .off)
  }

  var atWork: Int { connecting.count + busy.count }

  /// Whether waiting transfers wait for the limit, or for a connection that is being established.
  var isServed: Bool { waiting.isEmpty || atWork == limit || !connecting.isEmpty }

  mutating func step(_ random: inout Sequence64) {
    next += 1
    let transfer = busy.keys.sorted().randomElement(using: &random)
    switch (random.next() % 8, transfer) {
    case (0...2, _):
      waiting.append(next)
      report(.wanted(next, limit: limit))
    case (3, _):
      guard let index = connecting.indices.randomElement(using: &random) else { return }
      let maker = connecting.remove(at: index)
      if random.next() % 4 == 0 { return report(.attemptEnded) }
      busy[maker] = next + 1_000_000
      if speaksHTTP2 { open.insert(next + 1_000_000) }
      report(speaksHTTP2 ? .opened(next + 1_000_000, streams: streams) : .connected)
    case (4...5, let transfer?):
      guard let connection = busy.removeValue(forKey: transfer) else { return }
      if speaksHTTP2 { return report(.streamEnded(connection, at: next)) }
      idle.append(connection)
      report(.released(connection, at: next))
    case (6, let transfer?):
      guard let connection = busy.removeValue(forKey: transfer) else { return }
      guard speaksHTTP2 else { return report(.ended) }
      waiting.append(transfer)
      report(
        .streamRefused(
          connection, transfer, at: next, isFull: random.next() % 2 == 0,
          hasAnswered: random.next() % 2 == 0))
    default:
      if speaksHTTP2, let connection = open.sorted().randomElement(using: &random) {
        open.remove(connection)
        report(.retired(connection))
      } else if let connection = idle.popLast() {
        report(.idleEnded(connection))
      }
    }
  }

  private mutating func report(_ event: ConnectionPool.Event) {
    var actions: [ConnectionPool.Action] = []
    pool.handle(event, origin: origin, into: &actions)
    for action in actions {
      switch action {
      case .connect(let transfer):
        leaveQueue(transfer)
        connecting.append(transfer)
      case .use(let connection, let transfer):
        leaveQueue(transfer)
        busy[transfer] = connection
        if speaksHTTP2 {
          if !open.contains(connection) { violations.append("a connection that is gone") }
          let used = busy.values.count { $0 == connection }
          if used > streams { violations.append("more streams than there are") }
        } else if let index = idle.firstIndex(of: connection) {
          idle.remove(at: index)
        } else {
          violations.append("a connection that is not idle")
        }
      case .retire(let connection): open.remove(connection)
      }
    }
    if pool.occupancy(origin) != atWork + idle.count { violations.append("counts differ") }
  }

  private mutating func leaveQueue(_ transfer: UInt64) {
    guard let index = waiting.firstIndex(of: transfer) else {
      return violations.append("somebody who does not wait")
    }
    waiting.remove(at: index)
  }
}

/// Random numbers that are the same for the same seed (SplitMix64).
struct Sequence64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
