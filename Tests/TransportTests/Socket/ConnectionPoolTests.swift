import Models
import Testing

@testable import TransportSocket

@Suite("Connection pool")
struct ConnectionPoolTests {
  private let origin = HTTPURL.Origin(scheme: .http, host: "a.example", port: 80)
  private let other = HTTPURL.Origin(scheme: .https, host: "a.example", port: 443)

  @Test("A transfer gets a new connection up to the limit, then waits in order")
  func limit() {
    var pool = ConnectionPool()
    #expect(pool.handle(.wanted(1, limit: 2), origin: origin) == .connect(1))
    #expect(pool.handle(.wanted(2, limit: 2), origin: origin) == .connect(2))
    #expect(pool.handle(.wanted(3, limit: 2), origin: origin) == .none)
    #expect(pool.handle(.wanted(4, limit: 2), origin: origin) == .none)
    #expect(pool.handle(.wanted(5, limit: 2), origin: other) == .connect(5))
    #expect(pool.connectionCount(origin) == 2)
    #expect(pool.handle(.released(100, at: 1), origin: origin) == .use(100, 3))
    #expect(pool.handle(.ended, origin: origin) == .connect(4))
    #expect(pool.connectionCount(origin) == 2)
  }

  @Test("The newest idle connection is reused first, and the oldest is known")
  func reuse() {
    var pool = ConnectionPool()
    for id: UInt64 in 1...3 {
      #expect(pool.handle(.wanted(id, limit: 4), origin: origin) == .connect(id))
    }
    for id: UInt64 in 1...3 {
      #expect(pool.handle(.released(100 + id, at: 10 * id), origin: origin) == .none)
    }
    #expect(pool.idleCount == 3)
    #expect(pool.oldestIdle()?.connection == 101)
    #expect(pool.handle(.wanted(4, limit: 4), origin: origin) == .use(103, 4))
    #expect(pool.handle(.idleEnded(101), origin: origin) == .none)
    #expect(pool.handle(.wanted(5, limit: 4), origin: origin) == .use(102, 5))
    #expect(pool.handle(.wanted(6, limit: 4), origin: origin) == .connect(6))
    #expect(pool.idleCount == 0)
    #expect(pool.oldestIdle() == nil)
  }

  @Test("A retry takes the place of the connection that died")
  func renewal() {
    var pool = ConnectionPool()
    #expect(pool.handle(.wanted(1, limit: 1), origin: origin) == .connect(1))
    #expect(pool.handle(.wanted(2, limit: 1), origin: origin) == .none)
    #expect(pool.handle(.renewed(1), origin: origin) == .connect(1))
    #expect(pool.connectionCount(origin) == 1)
    #expect(pool.handle(.released(100, at: 1), origin: origin) == .use(100, 2))
  }

  @Test("Who no longer waits is passed over")
  func abandoning() {
    var pool = ConnectionPool()
    for id: UInt64 in 1...4 { _ = pool.handle(.wanted(id, limit: 1), origin: origin) }
    #expect(pool.handle(.abandoned(2), origin: origin) == .none)
    #expect(pool.handle(.ended, origin: origin) == .connect(3))
    #expect(pool.handle(.abandoned(4), origin: origin) == .none)
    #expect(pool.handle(.ended, origin: origin) == .none)
    #expect(pool.connectionCount(origin) == 0)
  }

  @Test("An origin without connections and transfers leaves nothing behind")
  func noTraces() {
    var pool = ConnectionPool()
    for number in 0..<1_000 {
      let origin = HTTPURL.Origin(scheme: .http, host: "h\(number)", port: 80)
      #expect(pool.handle(.wanted(1, limit: 1), origin: origin) == .connect(1))
      _ = pool.handle(.ended, origin: origin)
    }
    #expect(pool.isEmpty)
  }

  @Test("In any order of events the limit holds and nobody is forgotten", arguments: 0..<20)
  func randomEvents(seed: Int) {
    var random = Sequence64(seed: UInt64(seed))
    var pool = ConnectionPool()
    var waiting: [UInt64] = []
    var busy: [UInt64: UInt64?] = [:]  // transfer: connection, nil while connecting
    var idle: [UInt64] = []
    var next: UInt64 = 1
    func follow(_ action: ConnectionPool.Action) {
      switch action {
      case .none: break
      case .connect(let transfer):
        waiting.removeAll { $0 == transfer }
        busy[transfer] = .some(nil)
      case .use(let connection, let transfer):
        waiting.removeAll { $0 == transfer }
        idle.removeAll { $0 == connection }
        busy[transfer] = connection
      }
    }
    for _ in 0..<2_000 {
      next += 1
      let transfer = busy.keys.sorted().randomElement(using: &random)
      switch (random.next() % 4, transfer) {
      case (0, _):
        waiting.append(next)
        follow(pool.handle(.wanted(next, limit: 3), origin: origin))
      case (1, let transfer?):
        let connection = busy.removeValue(forKey: transfer).flatMap { $0 } ?? next
        idle.append(connection)
        follow(pool.handle(.released(connection, at: next), origin: origin))
      case (2, let transfer?):
        busy.removeValue(forKey: transfer)
        follow(pool.handle(.ended, origin: origin))
      default:
        if let connection = idle.popLast() {
          follow(pool.handle(.idleEnded(connection), origin: origin))
        }
      }
      #expect(busy.count + idle.count <= 3)
      #expect(pool.connectionCount(origin) == busy.count + idle.count)
      #expect(waiting.isEmpty || busy.count == 3)
    }
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
