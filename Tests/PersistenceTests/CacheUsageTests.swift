import Models
import Persistence
import PersistenceMemory
import PersistenceSQLite
import StoreContracts
import TestSupport
import Testing

/// The least recently used order as one would write it on paper: a list, the oldest first.
private struct PaperBook {
  var entries: [CacheEntry] = []

  mutating func use(_ entry: CacheEntry) {
    entries.removeAll { $0.name == entry.name }
    entries.append(entry)
  }

  mutating func touch(_ name: String) {
    if let known = entries.first(where: { $0.name == name }) { use(known) }
  }

  mutating func forget(_ name: String) { entries.removeAll { $0.name == name } }

  var size: CacheSize {
    CacheSize(count: entries.count, bytes: entries.reduce(0) { $0 + $1.bytes })
  }

  func overflow(count: Int, bytes: Int64, limit: Int) -> [CacheEntry] {
    var rest = entries
    while let first = rest.first, entries.count - rest.count < limit {
      let held = rest.reduce(0) { $0 + $1.bytes }
      guard rest.count > count || held > bytes else { break }
      rest.removeAll { $0 == first }
    }
    return Array(entries.prefix(entries.count - rest.count))
  }
}

@Suite("The book of a cache")
struct CacheBookTests {
  @Test(
    "Evictions have the order of the model, for any sequence of changes",
    arguments: [(.memory, 100_000), (.sqlite, 5_000)] as [(StoreAdapter, Int)])
  func evictions(adapter: StoreAdapter, operations: Int) async throws {
    let folder = try TemporaryFolder()
    let store = try await adapter.opening.open(folder: folder.path)
    var model = PaperBook()
    var generator = SeededGenerator(seed: 5)
    var evicted = 0
    // The bounds change on the way, as they do when the configuration does.
    var bounds = (count: 40, bytes: Int64(4_000))
    for step in 1...operations {
      func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
      let names = (0..<number(1...3)).map { _ in "name \(number(0...99))" }
      switch number(0...9) {
      case 0..<5:
        let entries = names.map { CacheEntry(name: $0, bytes: Int64(number(0...200))) }
        try store.use(entries, in: .renditions)
        for entry in entries { model.use(entry) }
      case 5..<8:
        try store.touch(names, in: .renditions)
        for name in names { model.touch(name) }
      case 8:
        try store.removeEntries(names, in: .renditions)
        for name in names { model.forget(name) }
      default: if step % 100 == 0 { bounds = (number(0...60), Int64(number(0...8_000))) }
      }
      let limit = number(0...4)
      let surplus = try store.overflow(
        of: .renditions, count: bounds.count, bytes: bounds.bytes, limit: limit)
      try #require(
        surplus == model.overflow(count: bounds.count, bytes: bounds.bytes, limit: limit),
        "step \(step)")
      if !surplus.isEmpty {
        try store.removeEntries(surplus.map(\.name), in: .renditions)
        for entry in surplus { model.forget(entry.name) }
        evicted += surplus.count
      }
      try #require(try store.size(of: .renditions) == model.size, "step \(step)")
    }
    #expect(evicted > operations / 10)
    #expect(try await store.reader.integrityProblems() == [])
    await store.closeWithReader()
  }
}
