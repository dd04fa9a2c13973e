import Models
import Persistence
import Testing

extension StoreContract {
  static let records = [
    StoreRule("A folder belongs to one record under case folding, visible or not") { store in
      let source = try await store.beginSource(SourceDraft(key: "k", location: ""))
      func take(_ folder: String) async throws -> StoreError.Code? {
        try await errorCode {
          _ = try await store.appendRecord(
            RecordDraft(source: source, title: "t", folder: folder))
        }
      }
      #expect(try await take("Ärger") == nil)
      #expect(try await take("äRGER") == .folderTaken)
      #expect(try await take("Straße") == nil)
      #expect(try await take("STRASSE") == .folderTaken)
      #expect(try await take("ΟΔΟΣ") == nil)
      #expect(try await take("οδος") == .folderTaken)
      #expect(try await take("οδοσ") == .folderTaken)
      #expect(try await take("Ärger (2)") == nil)
      try await store.completeSource(source)
      #expect(try await take("ÄRGER") == .folderTaken)
      #expect(try await store.recordCount() == 4)
    },
    StoreRule("A record of a source that is not there is refused") { store in
      let code = try await errorCode {
        _ = try await store.appendRecord(
          RecordDraft(source: SourceID(77), title: "t", folder: "f"))
      }
      #expect(code == .notFound)
    },
    StoreRule("A record of a complete source is visible at once, at the end") { store in
      let (record, _) = try await store.addRecord("a", resources: 1)
      _ = try await store.addRecord("b", resources: 1)
      let source = try await #require(store.record(record)).source
      _ = try await store.appendRecord(RecordDraft(source: source, title: "c", folder: "c"))
      #expect(try await store.records(offset: 0, limit: 9).map(\.title) == ["a", "b", "c"])
      #expect(try await store.records(of: source).map(\.title) == ["a", "c"])
    },
    StoreRule("Records come in windows of the list") { store in
      for title in ["a", "b", "c", "d"] { _ = try await store.addRecord(title, resources: 1) }
      #expect(try await store.records(offset: 1, limit: 2).map(\.title) == ["b", "c"])
      #expect(try await store.records(offset: 3, limit: 9).map(\.title) == ["d"])
      #expect(try await store.records(offset: 9, limit: 9) == [])
      #expect(try await store.records(offset: 0, limit: 0) == [])
      #expect(try await store.records(offset: -5, limit: -1) == [])
      #expect(try await store.records(offset: -5, limit: 1).map(\.title) == ["a"])
      #expect(try await store.recordCount() == 4)
    },
    StoreRule("Records are found by their exact title, in list order") { store in
      let source = try await store.beginSource(SourceDraft(key: "k", location: ""))
      for (title, folder) in [("x", "1"), ("X", "2"), ("x", "3"), ("x ", "4")] {
        _ = try await store.appendRecord(
          RecordDraft(source: source, title: title, folder: folder))
      }
      try await store.completeSource(source)
      #expect(try await store.records(titled: "x").map(\.folder) == ["1", "3"])
      #expect(try await store.records(titled: "") == [])
    },
    StoreRule("Titles and folders come back octet by octet") { store in
      let titles = ["", "a\u{0}b", "line\nline", "e\u{301}", "é", "👩‍👩‍👧", "'; DROP TABLE record; --"]
      let source = try await store.beginSource(SourceDraft(key: "\u{0}", location: "\n"))
      for (index, title) in titles.enumerated() {
        _ = try await store.appendRecord(
          RecordDraft(source: source, title: title, folder: "\(index)"))
      }
      try await store.completeSource(source)
      let found = try await store.records(offset: 0, limit: 99).map { Array($0.title.utf8) }
      #expect(found == titles.map { Array($0.utf8) })
      #expect(try await store.records(titled: "é").map(\.folder) == ["4"])
    },
    StoreRule("Pausing is kept and belongs to one record") { store in
      let (a, _) = try await store.addRecord("a", resources: 1)
      let (b, _) = try await store.addRecord("b", resources: 1)
      try await store.setPaused(true, record: a)
      #expect(try await store.record(a)?.isPaused == true)
      #expect(try await store.record(b)?.isPaused == false)
      try await store.setPaused(false, record: a)
      #expect(try await store.record(a)?.isPaused == false)
      let code = try await errorCode {
        try await store.setPaused(true, record: RecordID(77))
      }
      #expect(code == .notFound)
    },
    StoreRule("Laziness and priority are kept and belong to one record") { store in
      let source = try await store.beginSource(SourceDraft(key: "k", location: ""))
      let lazy = try await store.appendRecord(
        RecordDraft(source: source, title: "a", folder: "a", isLazy: true))
      let other = try await store.appendRecord(
        RecordDraft(source: source, title: "b", folder: "b"))
      try await store.completeSource(source)
      for priority in RecordPriority.allCases {
        try await store.setPriority(priority, record: lazy)
        #expect(try await store.record(lazy)?.priority == priority)
      }
      #expect(try await store.record(lazy)?.isLazy == true)
      let record = try await #require(store.record(other))
      #expect(!record.isLazy && record.priority == .normal)
      let code = try await errorCode {
        try await store.setPriority(.low, record: RecordID(77))
      }
      #expect(code == .notFound)
    },
    StoreRule("Removing a record removes its resources and nothing else") { store in
      let (a, first) = try await store.addRecord("a", resources: 2)
      let (b, second) = try await store.addRecord("b", resources: 3)
      try await store.apply(
        [
          .partial(makeRequest(1), anyPartial), .stored(first[1], makeFile()),
          .finished(first[1], pages: makePages(2), reason: nil),
        ], durable: false)
      try await store.removeRecord(a)
      try await store.removeRecord(a)
      #expect(try await store.record(a) == nil)
      #expect(try await store.resource(first[0]) == nil)
      #expect(try await store.pages(of: first[1]) == [])
      #expect(try await store.resource(second[0]) != nil)
      #expect(try await store.partials() == [makeRequest(1)])
      #expect(try await store.records(offset: 0, limit: 9).map(\.id) == [b])
      #expect(try await store.totals().total == 3)
      #expect(try await store.totals().bytes == 0)
      #expect(try await store.source(key: "key") != nil)
    },
    StoreRule("After removeAll the store is as new, and no id comes again") { store in
      let (record, resources) = try await store.addRecord("a", resources: 3)
      try await store.apply(
        [
          .stored(resources[0], makeFile(answer: makeAnswer(1))), .fetched(resources[0]),
          .partial(makeRequest(2), anyPartial),
        ], durable: true)
      try await store.setPaused(true, record: record)
      let loose = try await store.looseRecord(folder: "loose")
      try await store.appendResources(makeDrafts(1), to: loose.id)
      var state = LibraryState()
      state.isPaused = true
      state.concurrency = 3
      try await store.setLibraryState(state)
      try await store.use([CacheEntry(name: "a", bytes: 7)], in: .renditions)
      let last = try await store.lastResource()
      _ = try await store.beginSource(SourceDraft(key: "open", location: ""))
      try await store.removeAll()
      #expect(try await store.recordCount() == 0)
      #expect(try await store.totals() == ResourceCounts())
      #expect(try await store.partials() == [])
      #expect(try await store.incompleteSources() == [])
      #expect(try await store.source(key: "key") == nil)
      #expect(try await store.record(loose.id) == nil)
      #expect(try await store.answers(to: [makeRequest(1)]) == [:])
      #expect(try await store.libraryState() == LibraryState())
      #expect(try await store.size(of: .renditions) == CacheSize())
      #expect(try await store.overflow(of: .renditions, count: 0, bytes: 0, limit: 9) == [])
      #expect(try await store.lastResource() == last)
      let (again, more) = try await store.addRecord("a", resources: 3)
      #expect(again > max(record, loose.id))
      #expect(try #require(more.first) > last)
      #expect(try await store.looseRecord(folder: "loose").id > loose.id)
    },
  ]
}
