import Models
import Persistence
import TestSupport
import Testing

extension StoreContract {
  static let requeueing = [
    StoreRule("A reload queues all resources of one record and keeps their files") { store in
      let (record, ids) = try store.addRecord("a", resources: 5)
      let (_, others) = try store.addRecord("b", resources: 1)
      let file = makeFile(bytes: 9, answer: makeAnswer(1))
      try store.apply(
        [
          .attempted(ids[0]), .attempted(ids[1]), .failed(ids[1], reason: "x", pages: []),
          .stored(ids[2], makeFile(2, bytes: 1)),
          .stored(ids[3], makeFile(3, bytes: 1)), .fetched(ids[3]),
          .stored(ids[4], file), .finished(ids[4], pages: makePages(2), reason: "first page only"),
          .finished(others[0], pages: [], reason: nil),
        ])
      #expect(try store.perform(.reload, on: record) == 5)
      for resource in try store.resources(of: record, offset: 0, limit: 9) {
        #expect(resource.state == .queued && resource.mustReload)
        #expect(resource.reason == nil && resource.attempts == 0)
      }
      let kept = try #require(try store.resource(ids[4]))
      #expect(kept.file == file && kept.pageCount == 2)
      #expect(try store.pages(of: ids[4]) == makePages(2))
      let counts = try #require(try store.record(record)).counts
      #expect(counts.queued == 5 && counts.total == 5 && counts.bytes == 11)
      #expect(try store.resource(others[0])?.mustReload == false)
      #expect(try store.resource(others[0])?.state == .finished)
    },
    StoreRule("The new file ends a reload; a failure or a retry does not") { store in
      let (record, ids) = try store.addRecord(resources: 2)
      try store.apply(
        [.stored(ids[0], makeFile(1, bytes: 5)), .fetched(ids[0])])
      _ = try store.perform(.reload, on: record)
      try store.apply(
        [.attempted(ids[0]), .failed(ids[0], reason: "HTTP 500", pages: makePages(1))])
      #expect(try store.resource(ids[0])?.mustReload == true)
      #expect(try store.perform(.retry(processing: ""), on: record) == 1)
      let again = try #require(try store.resource(ids[0]))
      #expect(again.mustReload && again.state == .queued && again.file == makeFile(1, bytes: 5))
      try store.apply([.stored(ids[0], makeFile(2, bytes: 8))])
      let new = try #require(try store.resource(ids[0]))
      #expect(!new.mustReload && new.state == .stored && new.file == makeFile(2, bytes: 8))
      #expect(new.pageCount == 0)
      #expect(try store.resource(ids[1])?.mustReload == true)
      #expect(try store.record(record)?.counts.bytes == 8)
    },
    StoreRule("Resources that failed for one reason are rendered again if their files exist") {
      store in
      let (record, ids) = try store.addRecord("a", resources: 5)
      let (other, others) = try store.addRecord("b", resources: 1)
      for id in [ids[0], ids[1], ids[4], others[0]] {
        try store.apply(
          [.attempted(id), .stored(id, makeFile(1, bytes: 5)), .fetched(id)])
      }
      _ = try store.perform(.reload, on: record)
      // The last one is still to be reloaded; of the others one has failed otherwise, one has no file.
      for id in [ids[0], ids[1]] {
        try store.apply([.stored(id, makeFile(2, bytes: 6)), .fetched(id)])
      }
      try store.apply(
        [
          .failed(ids[0], reason: "ended", pages: makePages(2)),
          .failed(ids[1], reason: "ended at last", pages: []),
          .failed(ids[2], reason: "ended", pages: []), .failed(ids[4], reason: "ended", pages: []),
          .failed(others[0], reason: "ended", pages: []),
        ])
      #expect(try store.perform(.retry(processing: "ended"), on: record) == 4)
      let resources = try store.resources(of: record, offset: 0, limit: 9)
      #expect(resources.map(\.state) == [.fetched, .queued, .queued, .queued, .queued])
      #expect(resources[0].reason == nil && resources[0].attempts == 0)
      #expect(resources[0].file == makeFile(2, bytes: 6))
      #expect(try store.pages(of: ids[0]) == makePages(2))
      #expect(
        try store.resources(in: .fetched, of: nil, after: nil, limit: 9).map(\.id) == [ids[0]]
      )
      let counts = try #require(try store.record(record)).counts
      #expect(counts.fetched == 1 && counts.failed == 0 && counts.queued == 4)
      #expect(try store.record(other)?.counts.failed == 1)
      #expect(try store.perform(.retry(processing: "ended"), on: other) == 1)
      #expect(try store.record(other)?.counts.fetched == 1)
    },
    StoreRule("A resource that is queued again keeps its file and its pages") { store in
      let (record, ids) = try store.addRecord("a", resources: 3)
      for id in ids.prefix(2) {
        try store.apply([.attempted(id), .stored(id, makeFile(1, bytes: 5)), .fetched(id)])
      }
      try store.apply(
        [
          .finished(ids[0], pages: makePages(2), reason: "first page only"),
          .failed(ids[1], reason: "gone", pages: []),
          .queuedAgain(ids[0], mustReload: true), .queuedAgain(ids[1], mustReload: false),
          .queuedAgain(ids[2], mustReload: true), .queuedAgain(ResourceID(77), mustReload: true),
        ])
      let resources = try store.resources(ids)
      #expect(resources.allSatisfy { $0.state == .queued && $0.reason == nil && $0.attempts == 0 })
      #expect(resources.map(\.mustReload) == [true, false, true])
      #expect(resources.map { $0.file?.byteCount } == [5, 5, nil])
      #expect(try store.pages(of: ids[0]) == makePages(2))
      let counts = try #require(try store.record(record)).counts
      #expect(counts.queued == 3 && counts.total == 3 && counts.bytes == 10)
    },
    StoreRule("A resource whose newer version failed keeps its file and its pages, with a remark") {
      store in
      let (record, ids) = try store.addRecord("a", resources: 2)
      for id in ids {
        try store.apply(
          [
            .stored(id, makeFile(1, bytes: 5)), .finished(id, pages: makePages(2), reason: nil),
            .queuedAgain(id, mustReload: true),
          ])
      }
      try store.apply(
        [
          .kept(ids[0], remark: "not reloaded", needsPages: true),
          .kept(ids[1], remark: "not reloaded", needsPages: false),
          .kept(ResourceID(77), remark: "", needsPages: true),
        ])
      let resources = try store.resources(ids)
      #expect(resources.map(\.state) == [.fetched, .finished])
      #expect(resources.allSatisfy { $0.reason == "not reloaded" && !$0.mustReload })
      #expect(resources.allSatisfy { $0.file == makeFile(1, bytes: 5) })
      for id in ids { #expect(try store.pages(of: id) == makePages(2)) }
      let counts = try #require(try store.record(record)).counts
      #expect(
        counts.fetched == 1 && counts.finished == 1 && counts.total == 2 && counts.bytes == 10)
    },
    StoreRule("A change lasts until its end, and affects the resources that existed at its start") {
      store in
      let (record, ids) = try store.addRecord("a", resources: 5)
      let (other, _) = try store.addRecord("b", resources: 1)
      #expect(try store.advance(record, limit: 9) == nil)
      #expect(try errorCode { try store.beginChange(.reload, of: RecordID(77)) } == .notFound)
      try store.beginChange(.cancel(reason: "cancelled"), of: record)
      #expect(try store.recordsInChange() == [record])
      #expect(try store.advance(record, limit: 2) == 2)
      try store.appendResources(makeDrafts(2), to: record)
      #expect(try store.resource(ids[2])?.state == .queued)
      #expect(try store.advance(record, limit: 9) == 3)
      #expect(try store.recordsInChange() == [record])
      #expect(try store.advance(record, limit: 9) == nil)
      #expect(try store.recordsInChange() == [])
      #expect(try store.record(record)?.counts.queued == 2)
      #expect(try store.record(other)?.counts.queued == 1)
      // The second takes the place of the first.
      try store.beginChange(.reload, of: record)
      #expect(try store.advance(record, limit: 1) == 1)
      try store.beginChange(.retry(processing: ""), of: record)
      #expect(try store.advance(record, limit: 9) == 4)
      // A removed record is not changed any more.
      try store.markRemoved(record)
      #expect(try store.recordsInChange() == [])
      #expect(try store.advance(record, limit: 9) == nil)
    },
    StoreRule("A removed record is deleted in steps, and a discarded source with its last record") {
      store in
      let (record, ids) = try store.addRecord("a", resources: 3)
      let source = try #require(try store.record(record)).source
      #expect(try store.removeRows(of: record, limit: 9))
      #expect(try store.record(record)?.counts.total == 3)
      try store.discardSource(source)
      #expect(try store.source(source) == nil)
      #expect(try store.incompleteSources() == [])
      #expect(try errorCode { try store.completeSource(source) } == .notFound)
      let code = try errorCode {
        _ = try store.appendRecord(RecordDraft(source: source, title: "t", folder: "f"))
      }
      #expect(code == .notFound)
      #expect(try store.removedRecords().map(\.id) == [record])
      #expect(try !store.removeRows(of: record, limit: 2))
      #expect(
        try store.resources(ofRemoved: record, after: nil, limit: 9).map(\.id) == [ids[2]])
      #expect(try store.removeRows(of: record, limit: 2))
      #expect(try store.removedRecords() == [])
      let (again, _) = try store.addRecord("a", resources: 1)
      #expect(again != record)
    },
    StoreRule("Whether the files of a removed record stay is kept with its mark") { store in
      let (kept, _) = try store.addRecord("a", resources: 1)
      let (deleted, _) = try store.addRecord("b", resources: 1)
      try store.markRemoved(kept, keepingFiles: true)
      #expect(try store.keepsFiles(ofRemoved: kept))
      #expect(try !store.keepsFiles(ofRemoved: deleted), "it is not removed")
      try store.markRemoved(deleted)
      #expect(try !store.keepsFiles(ofRemoved: deleted))
      try store.markAllRemoved()
      #expect(try store.keepsFiles(ofRemoved: kept), "a reset keeps what the user has kept")
      #expect(try store.removeRows(of: kept, limit: 9))
      #expect(try !store.keepsFiles(ofRemoved: kept))
    },
    StoreRule("Cancelling fails queued resources; those with a file are finished again") { store in
      let (record, ids) = try store.addRecord("a", resources: 5)
      let (_, others) = try store.addRecord("b", resources: 1)
      try store.apply(
        [
          .stored(ids[0], makeFile(1, bytes: 5)),
          .finished(ids[0], pages: makePages(2), reason: "first page only"),
        ])
      _ = try store.perform(.reload, on: record)
      try store.apply(
        [
          .attempted(ids[1]), .stored(ids[2], makeFile(2, bytes: 1)),
          .stored(ids[3], makeFile(3, bytes: 1)), .fetched(ids[3]),
          .failed(ids[4], reason: "HTTP 404", pages: []),
        ])
      #expect(try store.perform(.cancel(reason: "cancelled"), on: record) == 2)
      let resources = try store.resources(of: record, offset: 0, limit: 9)
      #expect(resources.map(\.state) == [.fetched, .failed, .stored, .fetched, .failed])
      #expect(resources.map(\.reason) == [nil, "cancelled", nil, nil, "HTTP 404"])
      #expect(resources.map(\.mustReload) == [false, true, false, false, true])
      #expect(resources[0].file == makeFile(1, bytes: 5) && resources[0].pageCount == 2)
      #expect(try store.pages(of: ids[0]) == makePages(2))
      #expect(resources[1].attempts == 1)
      let counts = try #require(try store.record(record)).counts
      #expect(counts.fetched == 2 && counts.failed == 2 && counts.queued == 0 && counts.bytes == 7)
      #expect(try store.resource(others[0])?.state == .queued)
      #expect(try store.perform(.cancel(reason: "again"), on: record) == 0)
    },
    StoreRule("A paused and lazy record is cancelled and queued like any other") { store in
      let source = try store.beginSource(SourceDraft(key: "k", location: ""))
      let record = try store.appendRecord(
        RecordDraft(source: source, title: "t", folder: "f", isLazy: true))
      try store.appendResources(makeDrafts(2), to: record)
      try store.completeSource(source)
      try store.setPaused(true, record: record)
      #expect(try store.perform(.cancel(reason: "cancelled"), on: record) == 2)
      #expect(try store.totals().failed == 2)
      #expect(try store.perform(.retry(processing: ""), on: record) == 2)
      #expect(try store.totals().queued == 2)
    },
  ]
}
