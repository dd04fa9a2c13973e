import Testing

@testable import Control

@Suite("The table of recent values")
struct RecentTableTests {
  @Test("keeps a value for ten minutes after its last use, and returns what it forgets")
  func time() {
    var table = RecentTable<String>(count: 4)
    #expect(table.insert("a", id: 1, now: 0).isEmpty)
    #expect(table.value(1, now: 599) == "a")
    #expect(table.value(1, now: 1_198) == "a")
    #expect(table.value(1, now: 1_798) == nil)
    #expect(table.insert("b", id: 2, now: 1_798) == ["a"])
  }

  @Test("forgets the least recently used value beyond its number of values")
  func count() {
    var table = RecentTable<Int>(count: 4)
    for id in 0..<4 { #expect(table.insert(id, id: UInt64(id), now: Double(id)).isEmpty) }
    _ = table.value(0, now: 4)
    #expect(table.insert(9, id: 9, now: 9) == [1])
    #expect(table.remove(2) == 2)
    #expect(table.remove(2) == nil)
    #expect(table.insert(10, id: 10, now: 10).isEmpty)
    #expect(Set(table.removeAll()) == [0, 3, 9, 10])
    #expect(table.value(0, now: 10) == nil)
  }

  @Test("forgets the least recently used values beyond its weight, and keeps a single heavy one")
  func weight() {
    var table = RecentTable<Int>(count: 64, weight: 10)
    #expect(table.insert(1, id: 1, weight: 6, now: 1).isEmpty)
    #expect(table.insert(2, id: 2, weight: 4, now: 2).isEmpty)
    #expect(table.insert(3, id: 3, weight: 1, now: 3) == [1])
    #expect(table.insert(4, id: 4, weight: 11, now: 4) == [2, 3])
    #expect(table.value(4, now: 5) == 4)
    #expect(table.insert(5, id: 5, now: 6) == [4])
    table.remove(5)
    #expect(table.insert(6, id: 6, weight: 10, now: 7).isEmpty)
  }
}
