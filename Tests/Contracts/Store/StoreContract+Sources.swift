import Models
import Persistence
import TestSupport
import Testing

extension StoreContract {
  static let sources = [
    StoreRule("The records of an incomplete source are invisible to every reader") { store in
      let source = try store.beginSource(SourceDraft(key: "k", location: "list.zip"))
      let record = try store.appendRecord(
        RecordDraft(source: source, title: "t", folder: "f"))
      try store.appendResources(makeDrafts(3), to: record)
      // Ids begin at 1 in a new store, in every adapter.
      let file = makeFile(answer: makeAnswer(1))
      try store.apply(
        [.stored(ResourceID(2), file), .finished(ResourceID(2), pages: makePages(1), reason: nil)])
      #expect(try store.recordCount() == 0)
      #expect(try store.totals() == ResourceCounts())
      #expect(try store.records(offset: 0, limit: 10) == [])
      #expect(try store.record(record) == nil)
      #expect(try store.records(of: source) == [])
      #expect(try store.records(titled: "t") == [])
      #expect(try store.resources(of: record, offset: 0, limit: 10) == [])
      #expect(try store.resources(in: .queued, after: nil, limit: 10) == [])
      #expect(try store.resource(ResourceID(1)) == nil)
      #expect(try store.pages(of: ResourceID(2)) == [])
      #expect(try store.answers(to: [makeRequest(1)]) == [:])
      #expect(try store.holders(of: [file.digest], limit: 9) == [:])
      #expect(try store.source(source) == nil)
      #expect(try store.source(key: "k") == nil)
      let row = SourceRow(id: source, draft: SourceDraft(key: "k", location: "list.zip"))
      #expect(try store.incompleteSources() == [row])

      try store.completeSource(source)
      #expect(try store.incompleteSources() == [])
      #expect(try store.source(key: "k") == row)
      #expect(try store.source(source) == row)
      #expect(try store.recordCount() == 1)
      #expect(try store.totals().total == 3)
      #expect(try store.pages(of: ResourceID(2)) == makePages(1))
      #expect(try store.answers(to: [makeRequest(1)])[makeRequest(1)]?.file == file)
      #expect(try store.holders(of: [file.digest], limit: 9).count == 1)
    },
    StoreRule("Completed records go to the end of the list in order of creation") { store in
      let early = try store.beginSource(SourceDraft(key: "early", location: ""))
      let late = try store.beginSource(SourceDraft(key: "late", location: ""))
      for (source, title) in [(early, "a"), (late, "b"), (early, "c"), (late, "d")] {
        _ = try store.appendRecord(
          RecordDraft(source: source, title: title, folder: title))
      }
      try store.completeSource(late)
      try store.completeSource(early)
      let titles = try store.records(offset: 0, limit: 10).map(\.title)
      #expect(titles == ["b", "d", "a", "c"])
      #expect(try store.records(of: early).map(\.title) == ["a", "c"])
    },
    StoreRule("Completing twice changes nothing") { store in
      let (record, _) = try store.addRecord("a", resources: 1)
      _ = try store.addRecord("b", resources: 1)
      let source = try #require(try store.record(record)).source
      try store.completeSource(source)
      #expect(try store.records(offset: 0, limit: 10).map(\.title) == ["a", "b"])
    },
    StoreRule("Discarding a source removes its records and frees their folders") { store in
      let source = try store.beginSource(SourceDraft(key: "k", location: ""))
      let record = try store.appendRecord(
        RecordDraft(source: source, title: "t", folder: "f"))
      try store.appendResources(makeDrafts(5), to: record)
      try store.apply([.stored(ResourceID(1), makeFile())])
      try store.removeSource(source)
      try store.discardSource(source)
      #expect(try store.incompleteSources() == [])
      #expect(try errorCode { try store.completeSource(source) } == .notFound)
      let again = try store.beginSource(SourceDraft(key: "k", location: ""))
      #expect(again != source)
      let second = try store.appendRecord(
        RecordDraft(source: again, title: "t", folder: "f"))
      #expect(second != record)
    },
    StoreRule("A complete source can be discarded too") { store in
      let (record, _) = try store.addRecord("a", resources: 2)
      let source = try #require(try store.record(record)).source
      try store.discardSource(source)
      #expect(try store.recordCount() == 0)
      #expect(try store.source(key: "key") == nil)
    },
    StoreRule("The newest complete source of a key is found") { store in
      _ = try store.addRecord("a", resources: 1, key: "same")
      let (record, _) = try store.addRecord("b", resources: 1, key: "same")
      _ = try store.beginSource(SourceDraft(key: "same", location: "not complete"))
      let newest = try #require(try store.record(record)).source
      #expect(try store.source(key: "same")?.id == newest)
      #expect(try store.source(key: "other") == nil)
    },
    StoreRule("A source keeps its format and the validators of its last response") { store in
      var draft = SourceDraft(
        key: "k", location: "l", format: "csv", isLazy: true, options: "a=1\nb=2")
      let id = try store.beginSource(draft)
      #expect(try store.incompleteSources() == [SourceRow(id: id, draft: draft)])
      let first = SourceState(
        validator: Validator(entityTag: EntityTag("W/\"a\""), lastModified: "Mon"),
        nextPage: "https://example.com/?page=2", isPublic: true, isSeries: true,
        layout: "table?url=1:u", format: "csv", isCut: true,
        setsCookies: true)
      try store.setState(first, of: id)
      #expect(
        try store.incompleteSources() == [SourceRow(id: id, draft: draft, state: first)])
      try store.completeSource(id)
      #expect(try store.source(id) == SourceRow(id: id, draft: draft, state: first))
      try store.setState(SourceState(), of: id)
      draft.options = nil
      try store.setOptions(nil, of: id)
      #expect(try errorCode { try store.setOptions("c=3", of: SourceID(77)) } == .notFound)
      #expect(try store.source(key: "k") == SourceRow(id: id, draft: draft))
      let code = try errorCode { try store.setState(first, of: SourceID(77)) }
      #expect(code == .notFound)
      #expect(try store.source(SourceID(77)) == nil)
    },
    StoreRule("Incomplete sources come oldest first") { store in
      let drafts = ["c", "a", "b"].map { SourceDraft(key: $0, location: $0) }
      for draft in drafts { _ = try store.beginSource(draft) }
      #expect(try store.incompleteSources().map(\.key) == ["c", "a", "b"])
    },
  ]
}
