import Models
import Persistence
import Testing

extension StoreContract {
  static let caches = [
    StoreRule("The least recently used entries go first, and only as many as must") { store in
      try await store.use(makeEntries(["a": 10, "b": 20, "c": 30]), in: .renditions)
      #expect(try await store.size(of: .renditions) == CacheSize(count: 3, bytes: 60))
      func surplus(_ count: Int, _ bytes: Int64, limit: Int = 9) async throws -> [String] {
        try await store.overflow(of: .renditions, count: count, bytes: bytes, limit: limit)
          .map(\.name)
      }
      #expect(try await surplus(3, 60) == [])
      #expect(try await surplus(2, 60) == ["a"])
      #expect(try await surplus(3, 59) == ["a"])
      #expect(try await surplus(3, 49) == ["a", "b"])
      #expect(try await surplus(1, 60) == ["a", "b"])
      #expect(try await surplus(0, 0) == ["a", "b", "c"])
      #expect(try await surplus(-1, -1) == ["a", "b", "c"])
      #expect(try await surplus(0, 0, limit: 2) == ["a", "b"])
      #expect(try await surplus(0, 0, limit: 0) == [])
      #expect(try await surplus(0, 0, limit: -1) == [])
      try await store.touch(["b", "a"], in: .renditions)
      #expect(try await surplus(0, 0) == ["c", "b", "a"])
      try await store.use(makeEntries(["c": 31]), in: .renditions)
      #expect(try await surplus(0, 0) == ["b", "a", "c"])
      #expect(try await store.size(of: .renditions) == CacheSize(count: 3, bytes: 61))
      #expect(
        try await store.overflow(of: .renditions, count: 0, bytes: 0, limit: 1)
          == [CacheEntry(name: "b", bytes: 20)])
    },
    StoreRule("A name that comes twice has its last size and place") { store in
      try await store.use(makeEntries(["a": 1, "b": 2, "a": 3]), in: .loose)
      #expect(try await store.size(of: .loose) == CacheSize(count: 2, bytes: 5))
      let all = try await store.overflow(of: .loose, count: 0, bytes: 0, limit: 9)
      #expect(all == makeEntries(["b": 2, "a": 3]))
      try await store.touch(["b", "a", "b"], in: .loose)
      let again = try await store.overflow(of: .loose, count: 0, bytes: 0, limit: 9)
      #expect(again.map(\.name) == ["a", "b"])
    },
    StoreRule("Touching and forgetting pass over names that are not known") { store in
      try await store.use(makeEntries(["a": 1, "b": 2]), in: .loose)
      try await store.touch(["x", "a", ""], in: .loose)
      try await store.forget(["x", "b", "b", ""], in: .loose)
      #expect(try await store.size(of: .loose) == CacheSize(count: 1, bytes: 1))
      let all = try await store.overflow(of: .loose, count: 0, bytes: 0, limit: 9)
      #expect(all == makeEntries(["a": 1]))
      try await store.forget(["a"], in: .loose)
      #expect(try await store.size(of: .loose) == CacheSize())
      #expect(try await store.overflow(of: .loose, count: 0, bytes: 0, limit: 9) == [])
    },
    StoreRule("Each cache has a book of its own") { store in
      try await store.use(makeEntries(["a": 1, "b": 2]), in: .loose)
      try await store.use(makeEntries(["b": 5]), in: .renditions)
      try await store.touch(["a"], in: .renditions)
      try await store.forget(["a"], in: .renditions)
      #expect(try await store.size(of: .loose) == CacheSize(count: 2, bytes: 3))
      #expect(try await store.size(of: .renditions) == CacheSize(count: 1, bytes: 5))
      let all = try await store.overflow(of: .loose, count: 0, bytes: 0, limit: 9)
      #expect(all == makeEntries(["a": 1, "b": 2]))
    },
    StoreRule("Names of a cache are kept octet by octet") { store in
      let names = ["é", "a\u{0}b", "", "'", "a"]
      for name in names { try await store.use([CacheEntry(name: name, bytes: 1)], in: .loose) }
      let all = try await store.overflow(of: .loose, count: 0, bytes: 0, limit: 9)
      #expect(all.map { Array($0.name.utf8) } == names.map { Array($0.utf8) })
    },
    StoreRule("What is being processed is what was said last, and goes with everything") { store in
      let (_, ids) = try await store.addRecord(resources: 3)
      #expect(try await store.pageWork() == [])
      let first = [
        PageWork(ids[2], isRunning: true),
        PageWork(ids[0], interruptionCount: 1, isRunning: false),
      ]
      try await store.setPageWork(first)
      #expect(try await store.pageWork() == first.reversed())
      // Nothing is compared with the rows; what is named twice counts as it was named last.
      let gone = PageWork(ResourceID(999), isRunning: true)
      let twice = PageWork(ids[1], interruptionCount: 2, isRunning: true)
      try await store.setPageWork([PageWork(ids[1], isRunning: true), gone, twice])
      #expect(try await store.pageWork() == [twice, gone])
      try await store.apply([.finished(ids[1], pages: [], reason: nil)], durable: false)
      #expect(try await store.pageWork() == [twice, gone])
      try await store.setPageWork([])
      #expect(try await store.pageWork() == [])
      try await store.setPageWork(first)
      try await store.removeAll()
      #expect(try await store.pageWork() == [])
    },
    StoreRule("What a user changed is kept") { store in
      #expect(try await store.libraryState() == LibraryState())
      var state = LibraryState()
      state.isPaused = true
      state.concurrency = 16
      try await store.setLibraryState(state)
      #expect(try await store.libraryState() == state)
      state.isPaused = false
      state.concurrency = nil
      state.perHost = 0
      try await store.setLibraryState(state)
      #expect(try await store.libraryState() == state)
    },
  ]
}

private func makeEntries(_ sizes: KeyValuePairs<String, Int64>) -> [CacheEntry] {
  sizes.map { CacheEntry(name: $0.key, bytes: $0.value) }
}
