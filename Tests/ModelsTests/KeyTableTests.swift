import Models
import TestSupport
import Testing

@Suite struct KeyTableTests {
  /// Many keys have one place.
  struct Crowded: TableKey, Hashable {
    let number: Int
    var bits: UInt64 { UInt64(number % 5) }
  }

  @Test("It contains the same values as a dictionary", arguments: 1...20 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    compare(&generator) { ResourceID($0) }
    compare(&generator) { Crowded(number: Int($0)) }
    compare(&generator) { RequestKey(high: UInt64($0) &* 0xdead_beef_1234_5679, low: 1) }
  }

  private func compare<Key: TableKey & Hashable>(
    _ generator: inout SeededGenerator, _ key: (Int64) -> Key
  ) {
    var table = KeyTable<Key, [Int]>()
    var expected: [Key: [Int]] = [:]
    for step in 0..<600 {
      let key = key(.random(in: 0..<80, using: &generator))
      switch Int.random(in: 0..<6, using: &generator) {
      case 0:
        let (old, other) = (table.removeValue(forKey: key), expected.removeValue(forKey: key))
        #expect(old == other)
      case 1:
        let count = table.change(key) {
          $0.append(step)
          return $0.count
        }
        expected[key]?.append(step)
        #expect(count == expected[key]?.count)
      case 2:
        table[key, default: [0]].append(step)
        expected[key, default: [0]].append(step)
      case 3:
        table[key] = nil
        expected[key] = nil
      default:
        let old = table.updateValue([step], forKey: key)
        let other = expected.updateValue([step], forKey: key)
        #expect(old == other)
      }
      #expect(table.contains(key) == (expected[key] != nil))
    }
    #expect(table.count == expected.count)
    #expect(Dictionary(uniqueKeysWithValues: table.map { ($0.key, $0.value) }) == expected)
    #expect(Set(table.keys) == Set(expected.keys))
    for number in 0..<80 { #expect(table[key(Int64(number))] == expected[key(Int64(number))]) }
  }

  @Test("A copy keeps its contents")
  func copies() {
    var table = KeyTable<RecordID, Int>()
    table[RecordID(1)] = 1
    let copy = table
    table[RecordID(1)] = 2
    table[RecordID(2)] = 3
    #expect(copy[RecordID(1)] == 1)
    #expect(!copy.contains(RecordID(2)))
  }

  @Test("A set distinguishes new keys from existing ones")
  func set() {
    var set = KeySet<ResourceID>()
    let inserted = [ResourceID(-3), ResourceID(-3)].map { set.insert($0) }
    #expect(inserted == [true, false])
    set.formUnion([ResourceID(1), ResourceID(2)])
    set.subtract([ResourceID(-3), ResourceID(1), ResourceID(9)])
    #expect(!set.contains(ResourceID(1)) && set.contains(ResourceID(2)))
    let removed = [ResourceID(2), ResourceID(2)].map { set.remove($0) }
    #expect(removed == [true, false])
    #expect(set.isEmpty)
  }
}
