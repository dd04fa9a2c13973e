import TestSupport
import Testing

@testable import Engine

@Suite("Memory cache")
struct MemoryCacheTests {
  private func bytes(_ count: Int, of byte: UInt8 = 1) -> [UInt8] {
    [UInt8](repeating: byte, count: count)
  }

  @Test("A cached value is returned, and its use keeps it")
  func order() {
    let cache = MemoryCache(countLimit: 2, byteLimit: .max)
    cache.insert(bytes(3, of: 1), for: "a")
    cache.insert(bytes(3, of: 2), for: "b")
    #expect(cache.value(for: "a") == bytes(3, of: 1))
    cache.insert(bytes(3, of: 3), for: "c")
    #expect(cache.value(for: "b") == nil)
    #expect(cache.value(for: "a") == bytes(3, of: 1))
    #expect(cache.value(for: "c") == bytes(3, of: 3))
    #expect(
      cache.statistics == MemoryCache.Statistics(hits: 3, misses: 1, count: 2, bytes: 6))
  }

  @Test("A new value replaces the old one of its name, even if it is too large")
  func replaced() {
    let cache = MemoryCache(countLimit: .max, byteLimit: 10)
    #expect(cache.insert(bytes(4, of: 1), for: "a"))
    #expect(cache.insert(bytes(5, of: 2), for: "a"))
    #expect(cache.value(for: "a") == bytes(5, of: 2))
    #expect(cache.statistics.bytes == 5)
    #expect(!cache.insert(bytes(11), for: "a"))
    #expect(cache.value(for: "a") == nil)
    #expect(cache.statistics.count == 0)
  }

  @Test("Removing and resizing give back what they say")
  func removing() {
    let cache = MemoryCache(countLimit: .max, byteLimit: .max)
    for name in ["a", "b", "c", "d"] { cache.insert(bytes(10), for: name) }
    cache.remove("b")
    cache.remove("x")
    #expect(cache.statistics.bytes == 30)
    cache.resize(countLimit: 2, byteLimit: 100)
    #expect(["a", "c", "d"].map { cache.value(for: $0) != nil } == [false, true, true])
    cache.removeAll()
    #expect(cache.value(for: "d") == nil)
    #expect(cache.statistics.count == 0)
    cache.insert(bytes(10), for: "e")
    #expect(cache.value(for: "e") != nil)
    cache.resize(countLimit: 0, byteLimit: 0)
    #expect(!cache.insert([], for: "f"))
  }

  @Test("Many threads at once: each gets whole values of the right name, within the bounds")
  func threads() async {
    let cache = MemoryCache(countLimit: 20, byteLimit: 2_000)
    await withTaskGroup(of: Bool.self) { group in
      for seed in 0..<8 {
        group.addTask { Self.hammer(cache, seed: UInt64(seed)) }
      }
      for await isRight in group { #expect(isRight) }
    }
    let statistics = cache.statistics
    #expect(statistics.count <= 20 && statistics.bytes <= 2_000)
    #expect(statistics.hits + statistics.misses == 8 * 2_500)
  }

  /// Values are of the byte and the length that their name says.
  private static func hammer(_ cache: MemoryCache, seed: UInt64) -> Bool {
    var random = SeededGenerator(seed: seed)
    var isRight = true
    for step in 0..<5_000 {
      let name = UInt8.random(in: 0..<60, using: &random)
      let expected = [UInt8](repeating: name, count: Int(name) * 2)
      if step % 2 == 0 {
        let value = cache.value(for: "\(name)")
        isRight = isRight && (value == nil || value == expected)
      } else if step % 101 == 0 {
        cache.remove("\(name)")
      } else {
        cache.insert(expected, for: "\(name)")
      }
    }
    return isRight
  }
}
