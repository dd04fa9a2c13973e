import Models
import TestSupport
import Testing

@testable import Engine

@Suite struct StartOrderTests {
  private static func key(_ id: Int64, _ precedence: Precedence = .normal) -> QueueKey {
    QueueKey(precedence: precedence, id: ResourceID(id), request: SchedulerDriver.request(id))
  }

  @Test("A job yields to so many starts, then precedes the others of its precedence")
  func turn() {
    var order = StartOrder()
    order.insert((2...5).map { Self.key($0) })
    order.insert(Self.key(1), yields: 2)
    order.insert(Self.key(6, .low), yields: 0)
    var popped: [Int64] = []
    while let next = order.popNext() {
      popped.append(next.key.id.rawValue)
      order.recordStart()
    }
    #expect(popped == [2, 3, 1, 4, 5, 6])
  }

  @Test("A job that is moved to another list keeps what is left of its yields")
  func moved() {
    var order = StartOrder()
    order.insert(Self.key(1), yields: 5)
    order.recordStart()
    order.recordStart()
    #expect(order.remove(Self.key(1)) == 3)
    order.insert(Self.key(1), yields: 3)
    #expect(order.popNext()?.yields == 3)
    #expect(order.isEmpty)
  }

  @Test("Of many jobs that would yield, those beyond the limit keep their places")
  func limit() {
    var order = StartOrder()
    let count = Int64(StartOrder.yieldingLimit)
    for id in 1...(count + 1) { order.insert(Self.key(id), yields: 9) }
    order.insert(Self.key(count + 2), yields: 0)
    #expect(order.popNext()?.key.id.rawValue == count + 1)
    #expect(order.popNext()?.key.id.rawValue == count + 2)
    #expect(order.popNext()?.key.id.rawValue == 1)
  }

  @Test(
    "Whatever is inserted and removed, the next job is that of a plain search", arguments: 0..<40)
  func search(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var order = StartOrder()
    var model = PlainOrder()
    for id: Int64 in 1...600 {
      let key = Self.key(
        Int64.random(in: 0..<1_000, using: &random) * 1_000 + id,
        [.visible, .normal, .low].randomElement(using: &random) ?? .low)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3:
        order.insert([key])
        model.insert(key, yields: 0)
      case 3..<6:
        let yields = Int.random(in: 0..<8, using: &random)
        order.insert(key, yields: yields)
        model.insert(key, yields: yields)
      case 6..<8:
        order.recordStart()
        model.starts += 1
      case 8:
        guard let old = model.waiting.randomElement(using: &random) else { continue }
        #expect(order.remove(old.key) == model.remove(old.key))
      default:
        #expect(order.precedence == model.waiting.map(\.key.precedence).min())
        let (next, expected) = (order.popNext(), model.popNext())
        #expect(next?.key == expected?.key && next?.yields == expected?.yields)
      }
      #expect(order.count == model.waiting.count)
    }
  }
}

/// The same order, without any sorted list.
private struct PlainOrder {
  var waiting: [(key: QueueKey, turn: Int?)] = []
  var starts = 0

  mutating func insert(_ key: QueueKey, yields: Int) {
    let isYielding = yields > 0 && waiting.count { $0.turn != nil } < StartOrder.yieldingLimit
    waiting.append((key, isYielding ? starts + yields : nil))
  }

  mutating func remove(_ key: QueueKey) -> Int? {
    guard let index = waiting.firstIndex(where: { $0.key == key }) else { return nil }
    return max(0, (waiting.remove(at: index).turn ?? 0) - starts)
  }

  mutating func popNext() -> (key: QueueKey, yields: Int)? {
    let first = waiting.map(\.key.precedence).min()
    let next = waiting.filter { $0.key.precedence == first }.min { rank($0) < rank($1) }
    guard let key = next?.key, let yields = remove(key) else { return nil }
    return (key, yields)
  }

  /// Those whose turn has come, then those that do not yield, then those that do.
  private func rank(_ job: (key: QueueKey, turn: Int?)) -> (Int, Int, ResourceID) {
    guard let turn = job.turn else { return (1, 0, job.key.id) }
    return (turn <= starts ? 0 : 2, turn, job.key.id)
  }
}
