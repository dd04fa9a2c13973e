import Models
import Persistence
import TestSupport
import Testing

extension StoreContract {
  static let standaloneRecord = [
    StoreRule("The standalone record is made once, with the folder of the first call") { store in
      #expect(try store.standaloneRecord() == nil)
      let standalone = try store.standaloneRecord(folder: "standalone")
      #expect(standalone.folder == "standalone" && standalone.isLazy)
      #expect(try store.standaloneRecord() == standalone)
      #expect(try store.standaloneRecord(folder: "other") == standalone)
      #expect(try store.record(standalone.id) == standalone)
      let (record, _) = try store.addRecord("other", resources: 1)
      let source = try #require(try store.record(record)).source
      let code = try errorCode {
        _ = try store.appendRecord(RecordDraft(source: source, title: "t", folder: "STANDALONE"))
      }
      #expect(code == .folderTaken)
      try store.removeRecord(standalone.id)
      #expect(try store.record(standalone.id) == nil)
      #expect(
        try errorCode { _ = try store.standaloneRecord(folder: "OTHER") } == .folderTaken)
      let again = try store.standaloneRecord(folder: "standalone")
      #expect(again.id > standalone.id)
    },
    StoreRule("Nothing that lists or counts records shows the standalone one") { store in
      let standalone = try store.standaloneRecord(folder: "standalone")
      try store.appendResources(makeDrafts(3), to: standalone.id)
      let (record, _) = try store.addRecord("a", resources: 1)
      let source = try #require(try store.record(record)).source
      #expect(try store.recordCount() == 1)
      #expect(try store.totals().total == 1)
      #expect(try store.records(offset: 0, limit: 9).map(\.id) == [record])
      #expect(try store.records(titled: standalone.title) == [])
      #expect(try store.records(of: standalone.source) == [])
      try store.discardSource(standalone.source)
      try store.discardSource(source)
      #expect(try store.standaloneRecord(folder: "standalone").counts.queued == 3)
      #expect(
        try errorCode { try store.setState(SourceState(), of: standalone.source) } == .notFound)
    },
    StoreRule("The resources of the standalone record are seen and counted like others") { store in
      let standalone = try store.standaloneRecord(folder: "standalone").id
      let (_, listed) = try store.addRecord("a", resources: 2)
      try store.appendResources(makeDrafts(3), to: standalone)
      let ids = try store.resources(of: standalone, offset: 0, limit: 9).map(\.id)
      #expect(ids.count == 3)
      #expect(try store.resource(ids[0])?.record == standalone)
      // It is lazy: what asks for one of them fetches it.
      #expect(try store.resources(in: .queued, after: nil, limit: 9).map(\.id) == listed)
      let file = makeFile(bytes: 7, answer: makeAnswer(5))
      try store.apply(
        [.stored(ids[1], file), .finished(ids[1], pages: makePages(2), reason: nil)])
      #expect(try store.pages(of: ids[1]) == makePages(2))
      #expect(try store.record(standalone)?.counts.bytes == 7)
      let held = ExistingFile(
        resource: ids[1], record: standalone, folder: "standalone", file: file)
      #expect(try store.answers(to: [makeRequest(5)]) == [makeRequest(5): held])
      #expect(try store.holders(of: [file.digest], limit: 1) == [file.digest: [held]])
      let finished = try store.resources(in: .finished, after: nil, limit: 9)
      #expect(finished.map(\.id) == [ids[1]])
    },
    StoreRule("A resource is removed with its file and pages, the others stay") { store in
      let standalone = try store.standaloneRecord(folder: "standalone").id
      try store.appendResources(makeDrafts(5), to: standalone)
      let all = try store.resources(of: standalone, offset: 0, limit: 9)
      let gone = all[1].id
      let file = makeFile(bytes: 7, answer: makeAnswer(5))
      try store.apply(
        [
          .partial(makeRequest(5), anyPartial), .stored(gone, file),
          .finished(gone, pages: makePages(2), reason: nil), .removed(gone), .removed(gone),
          .attempted(gone),
        ])
      #expect(try store.resource(gone) == nil)
      #expect(try store.pages(of: gone) == [])
      #expect(try store.answers(to: [makeRequest(5)]) == [:])
      #expect(try store.holders(of: [file.digest], limit: 9) == [:])
      #expect(try store.partials() == [makeRequest(5)])
      let counts = try #require(try store.record(standalone)).counts
      #expect(counts.total == 4 && counts.queued == 4 && counts.bytes == 0)
      let rest = all.filter { $0.id != gone }
      for offset in 0...5 {
        let window = try store.resources(of: standalone, offset: offset, limit: 2)
        #expect(window == Array(rest.dropFirst(offset).prefix(2)))
      }
    },
    StoreRule("Neither the id nor the number of a removed resource is used again") { store in
      let standalone = try store.standaloneRecord(folder: "standalone").id
      try store.appendResources(makeDrafts(3), to: standalone)
      let old = try store.resources(of: standalone, offset: 0, limit: 9)
      try store.apply(old.dropFirst().map { .removed($0.id) })
      let range = try store.insertResources(makeDrafts(2), into: standalone, at: .end)
      #expect(range.first > (try #require(old.last)).id)
      let now = try store.resources(of: standalone, offset: 0, limit: 9)
      #expect(now.map(\.index) == [1, 4, 5])
      try store.apply(now.map { .removed($0.id) })
      #expect(try store.resources(of: standalone, offset: 0, limit: 9) == [])
      #expect(try store.resources(in: .queued, after: nil, limit: 9) == [])
      try store.appendResources(makeDrafts(1), to: standalone)
      let last = try store.resources(of: standalone, offset: 0, limit: 9)
      #expect(last.map(\.index) == [6])
      #expect(try store.lastResource() == last.first?.id)
    },
  ]
}
