import Models
import Persistence
import TestSupport
import Testing

extension StoreContract {
  static let records = [
    StoreRule("A folder belongs to one record under case folding, visible or not") { store in
      let source = try store.beginSource(SourceDraft(key: "k", location: ""))
      func take(_ folder: String) throws -> StoreError.Code? {
        try errorCode {
          _ = try store.appendRecord(
            RecordDraft(source: source, title: "t", folder: folder))
        }
      }
      #expect(try take("Ärger") == nil)
      #expect(try take("äRGER") == .folderTaken)
      #expect(try take("Straße") == nil)
      #expect(try take("STRASSE") == .folderTaken)
      #expect(try take("ΟΔΟΣ") == nil)
      #expect(try take("οδος") == .folderTaken)
      #expect(try take("οδοσ") == .folderTaken)
      #expect(try take("Ärger (2)") == nil)
      try store.completeSource(source)
      #expect(try take("ÄRGER") == .folderTaken)
      #expect(try store.recordCount() == 4)
    },
    StoreRule("A record of a source that does not exist is refused") { store in
      let code = try errorCode {
        _ = try store.appendRecord(
          RecordDraft(source: SourceID(77), title: "t", folder: "f"))
      }
      #expect(code == .notFound)
    },
    StoreRule("A record of a complete source is visible at once, at the end") { store in
      let (record, _) = try store.addRecord("a", resources: 1)
      _ = try store.addRecord("b", resources: 1)
      let source = try #require(try store.record(record)).source
      _ = try store.appendRecord(RecordDraft(source: source, title: "c", folder: "c"))
      #expect(try store.records(offset: 0, limit: 9).map(\.title) == ["a", "b", "c"])
      #expect(try store.records(of: source).map(\.title) == ["a", "c"])
    },
    StoreRule("Records are read in windows of the list") { store in
      for title in ["a", "b", "c", "d"] { _ = try store.addRecord(title, resources: 1) }
      #expect(try store.records(offset: 1, limit: 2).map(\.title) == ["b", "c"])
      #expect(try store.records(offset: 3, limit: 9).map(\.title) == ["d"])
      #expect(try store.records(offset: 9, limit: 9) == [])
      #expect(try store.records(offset: 0, limit: 0) == [])
      #expect(try store.records(offset: -5, limit: -1) == [])
      #expect(try store.records(offset: -5, limit: 1).map(\.title) == ["a"])
      #expect(try store.recordCount() == 4)
    },
    StoreRule("Records are found by their exact title, in list order") { store in
      let source = try store.beginSource(SourceDraft(key: "k", location: ""))
      for (title, folder) in [("x", "1"), ("X", "2"), ("x", "3"), ("x ", "4")] {
        _ = try store.appendRecord(
          RecordDraft(source: source, title: title, folder: folder))
      }
      try store.completeSource(source)
      #expect(try store.records(titled: "x").map(\.folder) == ["1", "3"])
      #expect(try store.records(titled: "") == [])
    },
    StoreRule("Titles and folders are preserved byte by byte") { store in
      let titles = ["", "a\u{0}b", "line\nline", "e\u{301}", "é", "👩‍👩‍👧", "'; DROP TABLE record; --"]
      let source = try store.beginSource(SourceDraft(key: "\u{0}", location: "\n"))
      for (index, title) in titles.enumerated() {
        _ = try store.appendRecord(
          RecordDraft(source: source, title: title, folder: "\(index)"))
      }
      try store.completeSource(source)
      let found = try store.records(offset: 0, limit: 99).map { Array($0.title.utf8) }
      #expect(found == titles.map { Array($0.utf8) })
      #expect(try store.records(titled: "é").map(\.folder) == ["4"])
    },
    StoreRule("Pausing is kept and belongs to one record") { store in
      let (a, _) = try store.addRecord("a", resources: 1)
      let (b, _) = try store.addRecord("b", resources: 1)
      try store.setPaused(true, record: a)
      #expect(try store.record(a)?.isPaused == true)
      #expect(try store.record(b)?.isPaused == false)
      try store.setPaused(false, record: a)
      #expect(try store.record(a)?.isPaused == false)
      let code = try errorCode {
        try store.setPaused(true, record: RecordID(77))
      }
      #expect(code == .notFound)
    },
    StoreRule("Laziness and priority are kept and belong to one record") { store in
      let source = try store.beginSource(SourceDraft(key: "k", location: ""))
      let lazy = try store.appendRecord(
        RecordDraft(source: source, title: "a", folder: "a", isLazy: true))
      let other = try store.appendRecord(
        RecordDraft(source: source, title: "b", folder: "b"))
      try store.completeSource(source)
      for priority in RecordPriority.allCases {
        try store.setPriority(priority, record: lazy)
        #expect(try store.record(lazy)?.priority == priority)
      }
      #expect(try store.record(lazy)?.isLazy == true)
      let record = try #require(try store.record(other))
      #expect(!record.isLazy && record.priority == .normal)
      let code = try errorCode {
        try store.setPriority(.low, record: RecordID(77))
      }
      #expect(code == .notFound)
    },
    StoreRule("Removing a record removes its resources and nothing else") { store in
      let (a, first) = try store.addRecord("a", resources: 2)
      let (b, second) = try store.addRecord("b", resources: 3)
      try store.apply(
        [
          .partial(makeRequest(1), anyPartial), .stored(first[1], makeFile()),
          .finished(first[1], pages: makePages(2), reason: nil),
        ])
      try store.removeRecord(a)
      #expect(try store.removeRows(of: a, limit: 1))
      #expect(try store.record(a) == nil)
      #expect(try store.resource(first[0]) == nil)
      #expect(try store.pages(of: first[1]) == [])
      #expect(try store.resource(second[0]) != nil)
      #expect(try store.partials() == [makeRequest(1)])
      #expect(try store.records(offset: 0, limit: 9).map(\.id) == [b])
      #expect(try store.totals().total == 3)
      #expect(try store.totals().bytes == 0)
      #expect(try store.source(key: "key") != nil)
    },
    StoreRule("After removeAll the store is empty, and no id is used again") { store in
      let (record, resources) = try store.addRecord("a", resources: 3)
      try store.apply(
        [
          .stored(resources[0], makeFile(answer: makeAnswer(1))), .fetched(resources[0]),
          .partial(makeRequest(2), anyPartial),
        ])
      try store.setPaused(true, record: record)
      let standalone = try store.standaloneRecord(folder: "standalone")
      try store.appendResources(makeDrafts(1), to: standalone.id)
      var state = LibraryState()
      state.isPaused = true
      state.concurrency = 3
      try store.setLibraryState(state)
      try store.use([CacheEntry(name: "a", bytes: 7)], in: .renditions)
      let last = try store.lastResource()
      _ = try store.beginSource(SourceDraft(key: "open", location: ""))
      try store.removeAll()
      #expect(try store.recordCount() == 0)
      #expect(try store.totals() == ResourceCounts())
      #expect(try store.partials() == [])
      #expect(try store.incompleteSources() == [])
      #expect(try store.source(key: "key") == nil)
      #expect(try store.record(standalone.id) == nil)
      #expect(try store.answers(to: [makeRequest(1)]) == [:])
      #expect(try store.libraryState() == LibraryState())
      #expect(try store.size(of: .renditions) == CacheSize())
      #expect(try store.overflow(of: .renditions, count: 0, bytes: 0, limit: 9) == [])
      #expect(try store.lastResource() == last)
      let (again, more) = try store.addRecord("a", resources: 3)
      #expect(again > max(record, standalone.id))
      #expect(try #require(more.first) > last)
      #expect(try store.standaloneRecord(folder: "standalone").id > standalone.id)
    },
  ]
}
