import Engine
import TestSupport
import Testing

@Suite("The order of use")
struct LRUIndexTests {
  private func index(_ count: Int = .max, bytes: Int = .max) -> LRUIndex<String> {
    LRUIndex(countLimit: count, byteLimit: bytes)
  }

  @Test("The least recently used ones go first")
  func order() {
    var index = index(3)
    for key in ["a", "b", "c"] { #expect(index.insert(key, bytes: 1) == []) }
    #expect(index.keys == ["a", "b", "c"])
    #expect(index.insert("d", bytes: 1) == ["a"])
    let wasPresent = index.touch("b")
    #expect(wasPresent)
    #expect(index.insert("e", bytes: 1) == ["c"])
    #expect(index.keys == ["d", "b", "e"])
    #expect(index.contains("d") && !index.contains("c"))
  }

  @Test("Bytes count as well: as many go as the new one needs")
  func bytes() {
    var index = index(bytes: 10)
    for key in ["a", "b", "c"] { #expect(index.insert(key, bytes: 3) == []) }
    #expect(index.insert("d", bytes: 5) == ["a", "b"])
    #expect(index.bytes == 8)
    #expect(index.insert("e", bytes: 10) == ["c", "d"])
    #expect(index.bytes == 10)
  }

  @Test("An entry that is larger than the capacity evicts only itself")
  func tooLarge() {
    var index = index(bytes: 10)
    _ = index.insert("a", bytes: 9)
    #expect(index.insert("b", bytes: 11) == ["b"])
    #expect(index.keys == ["a"])
    #expect(index.insert("a", bytes: 11) == ["a"])
    #expect(index.count == 0)
    #expect(index.bytes == 0)
  }

  @Test("An existing entry gets its new size and the first position, and does not evict itself")
  func again() {
    var index = index(3, bytes: 10)
    for key in ["a", "b", "c"] { _ = index.insert(key, bytes: 3) }
    #expect(index.insert("a", bytes: 4) == [])
    #expect(index.keys == ["b", "c", "a"])
    #expect(index.bytes == 10)
    #expect(index.insert("b", bytes: 10) == ["c", "a"])
  }

  @Test(
    "A bound of 0 keeps nothing, not even nothing", arguments: [(0, 5), (5, 0), (-1, 5), (5, -1)])
  func nothing(count: Int, bytes: Int) {
    var index = index(count, bytes: bytes)
    #expect(index.insert("a", bytes: 0) == ["a"])
    #expect(index.count == 0)
    var other = self.index()
    for key in ["a", "b"] { _ = other.insert(key, bytes: 0) }
    #expect(other.resize(countLimit: count, byteLimit: bytes) == ["a", "b"])
  }

  @Test("Without bounds nothing goes and no size overflows")
  func unbounded() {
    var index = index()
    #expect(index.insert("a", bytes: .max - 1) == [])
    #expect(index.insert("b", bytes: 1) == [])
    #expect(index.bytes == .max)
    #expect(index.insert("c", bytes: .max) == ["a", "b"])
    #expect(index.insert("d", bytes: .min) == [])
    #expect(index.bytes == .max)
    _ = index.resize(countLimit: .max, byteLimit: .max)
    #expect(index.count == 2)
  }

  @Test("Smaller bounds evict at once, larger ones bring nothing back")
  func resize() {
    var index = index()
    for key in ["a", "b", "c", "d"] { _ = index.insert(key, bytes: 2) }
    _ = index.touch("a")
    #expect(index.resize(countLimit: 3, byteLimit: 4) == ["b", "c"])
    #expect(index.resize(countLimit: 10, byteLimit: 10) == [])
    #expect(index.keys == ["d", "a"])
    #expect(index.insert("e", bytes: 6) == [])
  }

  @Test("Places are used again: a million inserts take the memory of the bound")
  func reuse() {
    var index = LRUIndex<Int>(countLimit: 8, byteLimit: .max)
    for key in 0..<1_000_000 { _ = index.insert(key, bytes: 1) }
    #expect(index.keys == Array(999_992..<1_000_000))
    index.removeAll()
    #expect(index.keys == [] && index.bytes == 0 && index.countLimit == 8)
    #expect(index.insert(1, bytes: 1) == [])
  }

  @Test(
    "In 100,000 random operations it evicts the same entries as the model, in that order",
    arguments: 1...3)
  func model(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var index = LRUIndex<Int>(countLimit: 50, byteLimit: 1_000)
    var model = NaiveLRU(countLimit: 50, byteLimit: 1_000)
    for step in 0..<100_000 {
      let key = Int.random(in: 0..<120, using: &random)
      switch Int.random(in: 0..<1_000, using: &random) {
      case 0..<450:
        let bytes = Int.random(in: 0...60, using: &random) * (key % 40 == 0 ? 30 : 1)
        #expect(index.insert(key, bytes: bytes) == model.insert(key, bytes), "step \(step)")
      case 450..<900: #expect(index.touch(key) == model.touch(key), "step \(step)")
      case 900..<990: #expect(index.remove(key) == model.remove(key), "step \(step)")
      case 990..<999:
        let count = Int.random(in: 0...60, using: &random)
        let bytes = Int.random(in: 0...1_200, using: &random)
        let evicted = index.resize(countLimit: count, byteLimit: bytes)
        #expect(evicted == model.resize(count, bytes), "step \(step)")
      default:
        index.removeAll()
        model.items = []
      }
      if index.count != model.items.count || index.bytes != model.bytes
        || index.contains(key) != model.items.contains(where: { $0.key == key })
      {
        Issue.record("step \(step): another content")
        return
      }
      if step % 100 == 0 { #expect(index.keys == model.items.map(\.key)) }
    }
  }
}

/// The simplest reading of what an LRU promises; the least recently used one is first.
private struct NaiveLRU {
  var items: [(key: Int, bytes: Int)] = []
  var countLimit: Int
  var byteLimit: Int

  init(countLimit: Int, byteLimit: Int) {
    (self.countLimit, self.byteLimit) = (countLimit, byteLimit)
  }

  var bytes: Int { items.reduce(0) { $0 + $1.bytes } }

  mutating func insert(_ key: Int, _ size: Int) -> [Int] {
    _ = remove(key)
    if countLimit == 0 || byteLimit == 0 || size > byteLimit { return [key] }
    items.append((key, size))
    return shrink()
  }

  mutating func touch(_ key: Int) -> Bool {
    guard let place = items.firstIndex(where: { $0.key == key }) else { return false }
    items.append(items.remove(at: place))
    return true
  }

  mutating func remove(_ key: Int) -> Bool {
    let count = items.count
    items.removeAll { $0.key == key }
    return items.count < count
  }

  mutating func resize(_ count: Int, _ bytes: Int) -> [Int] {
    (countLimit, byteLimit) = (count, bytes)
    return shrink()
  }

  private mutating func shrink() -> [Int] {
    var evicted: [Int] = []
    while !items.isEmpty, items.count > countLimit || bytes > byteLimit || byteLimit == 0 {
      evicted.append(items.removeFirst().key)
    }
    return evicted
  }
}
