import Models
import Persistence
import Testing

extension StoreContract {
  static let sources = [
    StoreRule("The records of an incomplete source are invisible to every reader") { store in
      let source = try await store.beginSource(SourceDraft(key: "k", location: "list.zip"))
      let record = try await store.appendRecord(
        RecordDraft(source: source, title: "t", folder: "f"))
      try await store.appendResources(makeDrafts(3), to: record)
      // Ids begin at 1 in a new store, whoever gives them.
      let file = makeFile(answer: makeAnswer(1))
      try await store.apply(
        [.stored(ResourceID(2), file), .finished(ResourceID(2), pages: makePages(1), reason: nil)],
        durable: false)
      #expect(try await store.recordCount() == 0)
      #expect(try await store.totals() == ResourceCounts())
      #expect(try await store.records(offset: 0, limit: 10) == [])
      #expect(try await store.record(record) == nil)
      #expect(try await store.records(of: source) == [])
      #expect(try await store.records(titled: "t") == [])
      #expect(try await store.resources(of: record, offset: 0, limit: 10) == [])
      #expect(try await store.resources(in: .queued, after: nil, limit: 10) == [])
      #expect(try await store.resource(ResourceID(1)) == nil)
      #expect(try await store.pages(of: ResourceID(2)) == [])
      #expect(try await store.answers(to: [makeRequest(1)]) == [:])
      #expect(try await store.holders(of: [file.digest], limit: 9) == [:])
      #expect(try await store.source(source) == nil)
      #expect(try await store.source(key: "k") == nil)
      let row = SourceRow(id: source, draft: SourceDraft(key: "k", location: "list.zip"))
      #expect(try await store.incompleteSources() == [row])

      try await store.completeSource(source)
      #expect(try await store.incompleteSources() == [])
      #expect(try await store.source(key: "k") == row)
      #expect(try await store.source(source) == row)
      #expect(try await store.recordCount() == 1)
      #expect(try await store.totals().total == 3)
      #expect(try await store.pages(of: ResourceID(2)) == makePages(1))
      #expect(try await store.answers(to: [makeRequest(1)])[makeRequest(1)]?.file == file)
      #expect(try await store.holders(of: [file.digest], limit: 9).count == 1)
    },
    StoreRule("Completed records go to the end of the list in order of creation") { store in
      let early = try await store.beginSource(SourceDraft(key: "early", location: ""))
      let late = try await store.beginSource(SourceDraft(key: "late", location: ""))
      for (source, title) in [(early, "a"), (late, "b"), (early, "c"), (late, "d")] {
        _ = try await store.appendRecord(
          RecordDraft(source: source, title: title, folder: title))
      }
      try await store.completeSource(late)
      try await store.completeSource(early)
      let titles = try await store.records(offset: 0, limit: 10).map(\.title)
      #expect(titles == ["b", "d", "a", "c"])
      #expect(try await store.records(of: early).map(\.title) == ["a", "c"])
    },
    StoreRule("Completing twice changes nothing") { store in
      let (record, _) = try await store.addRecord("a", resources: 1)
      _ = try await store.addRecord("b", resources: 1)
      let source = try await #require(store.record(record)).source
      try await store.completeSource(source)
      #expect(try await store.records(offset: 0, limit: 10).map(\.title) == ["a", "b"])
    },
    StoreRule("Discarding a source removes its records and frees their folders") { store in
      let source = try await store.beginSource(SourceDraft(key: "k", location: ""))
      let record = try await store.appendRecord(
        RecordDraft(source: source, title: "t", folder: "f"))
      try await store.appendResources(makeDrafts(5), to: record)
      try await store.apply([.stored(ResourceID(1), makeFile())], durable: false)
      try await store.discardSource(source)
      try await store.discardSource(source)
      #expect(try await store.incompleteSources() == [])
      #expect(try await errorCode { try await store.completeSource(source) } == .notFound)
      let again = try await store.beginSource(SourceDraft(key: "k", location: ""))
      #expect(again != source)
      let second = try await store.appendRecord(
        RecordDraft(source: again, title: "t", folder: "f"))
      #expect(second != record)
    },
    StoreRule("A complete source can be discarded too") { store in
      let (record, _) = try await store.addRecord("a", resources: 2)
      let source = try await #require(store.record(record)).source
      try await store.discardSource(source)
      #expect(try await store.recordCount() == 0)
      #expect(try await store.source(key: "key") == nil)
    },
    StoreRule("The newest complete source of a key is found") { store in
      _ = try await store.addRecord("a", resources: 1, key: "same")
      let (record, _) = try await store.addRecord("b", resources: 1, key: "same")
      _ = try await store.beginSource(SourceDraft(key: "same", location: "not complete"))
      let newest = try await #require(store.record(record)).source
      #expect(try await store.source(key: "same")?.id == newest)
      #expect(try await store.source(key: "other") == nil)
    },
    StoreRule("A source keeps how it is read, and what its last answer said") { store in
      let draft = SourceDraft(key: "k", location: "l", format: "csv", isLazy: true)
      let id = try await store.beginSource(draft)
      #expect(try await store.incompleteSources() == [SourceRow(id: id, draft: draft)])
      let first = SourceState(
        validator: Validator(entityTag: EntityTag("W/\"a\""), lastModified: "Mon"),
        nextPage: "https://example.com/?page=2", isPublic: true, isSeries: true)
      try await store.note(first, of: id)
      #expect(
        try await store.incompleteSources() == [SourceRow(id: id, draft: draft, state: first)])
      try await store.completeSource(id)
      #expect(try await store.source(id) == SourceRow(id: id, draft: draft, state: first))
      try await store.note(SourceState(), of: id)
      #expect(try await store.source(key: "k") == SourceRow(id: id, draft: draft))
      let code = try await errorCode { try await store.note(first, of: SourceID(77)) }
      #expect(code == .notFound)
      #expect(try await store.source(SourceID(77)) == nil)
    },
    StoreRule("Incomplete sources come oldest first") { store in
      let drafts = ["c", "a", "b"].map { SourceDraft(key: $0, location: $0) }
      for draft in drafts { _ = try await store.beginSource(draft) }
      #expect(try await store.incompleteSources().map(\.key) == ["c", "a", "b"])
    },
  ]
}
