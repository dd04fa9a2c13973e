import Models
import Persistence
import Testing

extension StoreContract {
  static let caches = [
    StoreRule("The least recently used entries go first, and only as many as must") { store in
      try store.use(makeEntries(["a": 10, "b": 20, "c": 30]), in: .renditions)
      #expect(try store.size(of: .renditions) == CacheSize(count: 3, bytes: 60))
      func surplus(_ count: Int, _ bytes: Int64, limit: Int = 9) throws -> [String] {
        try store.overflow(of: .renditions, count: count, bytes: bytes, limit: limit)
          .map(\.name)
      }
      #expect(try surplus(3, 60) == [])
      #expect(try surplus(2, 60) == ["a"])
      #expect(try surplus(3, 59) == ["a"])
      #expect(try surplus(3, 49) == ["a", "b"])
      #expect(try surplus(1, 60) == ["a", "b"])
      #expect(try surplus(0, 0) == ["a", "b", "c"])
      #expect(try surplus(-1, -1) == ["a", "b", "c"])
      #expect(try surplus(0, 0, limit: 2) == ["a", "b"])
      #expect(try surplus(0, 0, limit: 0) == [])
      #expect(try surplus(0, 0, limit: -1) == [])
      try store.touch(["b", "a"], in: .renditions)
      #expect(try surplus(0, 0) == ["c", "b", "a"])
      try store.use(makeEntries(["c": 31]), in: .renditions)
      #expect(try surplus(0, 0) == ["b", "a", "c"])
      #expect(try store.size(of: .renditions) == CacheSize(count: 3, bytes: 61))
      #expect(
        try store.overflow(of: .renditions, count: 0, bytes: 0, limit: 1)
          == [CacheEntry(name: "b", bytes: 20)])
    },
    StoreRule("A name that is added twice has its last size and position") { store in
      try store.use(makeEntries(["a": 1, "b": 2, "a": 3]), in: .standalone)
      #expect(try store.size(of: .standalone) == CacheSize(count: 2, bytes: 5))
      let all = try store.overflow(of: .standalone, count: 0, bytes: 0, limit: 9)
      #expect(all == makeEntries(["b": 2, "a": 3]))
      try store.touch(["b", "a", "b"], in: .standalone)
      let again = try store.overflow(of: .standalone, count: 0, bytes: 0, limit: 9)
      #expect(again.map(\.name) == ["a", "b"])
    },
    StoreRule("Touching and forgetting pass over names that are not known") { store in
      try store.use(makeEntries(["a": 1, "b": 2]), in: .standalone)
      try store.touch(["x", "a", ""], in: .standalone)
      try store.removeEntries(["x", "b", "b", ""], in: .standalone)
      #expect(try store.size(of: .standalone) == CacheSize(count: 1, bytes: 1))
      let all = try store.overflow(of: .standalone, count: 0, bytes: 0, limit: 9)
      #expect(all == makeEntries(["a": 1]))
      try store.removeEntries(["a"], in: .standalone)
      #expect(try store.size(of: .standalone) == CacheSize())
      #expect(try store.overflow(of: .standalone, count: 0, bytes: 0, limit: 9) == [])
    },
    StoreRule("Each cache has its own entries") { store in
      try store.use(makeEntries(["a": 1, "b": 2]), in: .standalone)
      try store.use(makeEntries(["b": 5]), in: .renditions)
      try store.touch(["a"], in: .renditions)
      try store.removeEntries(["a"], in: .renditions)
      #expect(try store.size(of: .standalone) == CacheSize(count: 2, bytes: 3))
      #expect(try store.size(of: .renditions) == CacheSize(count: 1, bytes: 5))
      let all = try store.overflow(of: .standalone, count: 0, bytes: 0, limit: 9)
      #expect(all == makeEntries(["a": 1, "b": 2]))
    },
    StoreRule("Entries are found by their names, in the order of the question") { store in
      try store.use(makeEntries(["a": 1, "b": 2]), in: .standalone)
      try store.use(makeEntries(["b": 5, "é": 7]), in: .renditions)
      #expect(
        try store.entries(named: ["é", "a", "b", "é"], in: .renditions)
          == makeEntries(["é": 7, "b": 5, "é": 7]))
      #expect(try store.entries(named: ["b"], in: .standalone) == makeEntries(["b": 2]))
      #expect(try store.entries(named: [], in: .standalone) == [])
      try store.removeEntries(["b"], in: .standalone)
      #expect(try store.entries(named: ["b", ""], in: .standalone) == [])
    },
    StoreRule("Names of a cache are kept byte by byte") { store in
      let names = ["é", "a\u{0}b", "", "'", "a"]
      for name in names { try store.use([CacheEntry(name: name, bytes: 1)], in: .standalone) }
      let all = try store.overflow(of: .standalone, count: 0, bytes: 0, limit: 9)
      #expect(all.map { Array($0.name.utf8) } == names.map { Array($0.utf8) })
    },
    StoreRule("What is being processed is what was said last, and goes with everything") { store in
      let (_, ids) = try store.addRecord(resources: 3)
      #expect(try store.pageWork() == [])
      let first = [
        PageWork(ids[2], isRunning: true),
        PageWork(ids[0], interruptionCount: 1, isRunning: false),
      ]
      try store.setPageWork(first)
      #expect(try store.pageWork() == first.reversed())
      // Nothing is compared with the rows; what is named twice counts as it was named last.
      let gone = PageWork(ResourceID(999), isRunning: true)
      let twice = PageWork(ids[1], interruptionCount: 2, isRunning: true)
      try store.setPageWork([PageWork(ids[1], isRunning: true), gone, twice])
      #expect(try store.pageWork() == [twice, gone])
      try store.apply([.finished(ids[1], pages: [], reason: nil)])
      #expect(try store.pageWork() == [twice, gone])
      try store.setPageWork([])
      #expect(try store.pageWork() == [])
      try store.setPageWork(first)
      try store.removeAll()
      #expect(try store.pageWork() == [])
    },
    StoreRule("The changes of a user are kept") { store in
      #expect(try store.libraryState() == LibraryState())
      var state = LibraryState()
      state.isPaused = true
      state.concurrency = 16
      try store.setLibraryState(state)
      #expect(try store.libraryState() == state)
      state.isPaused = false
      state.concurrency = nil
      state.perHost = 0
      state.rateLimit = 2 << 20
      try store.setLibraryState(state)
      #expect(try store.libraryState() == state)
    },
  ]
}

private func makeEntries(_ sizes: KeyValuePairs<String, Int64>) -> [CacheEntry] {
  sizes.map { CacheEntry(name: $0.key, bytes: $0.value) }
}
