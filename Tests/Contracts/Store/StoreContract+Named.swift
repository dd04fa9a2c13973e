import Models
import Persistence
import TestSupport
import Testing

extension LibraryStore {
  fileprivate func addLazyRecord(
    _ title: String = "lazy", resources count: Int
  ) throws(StoreError) -> (record: RecordID, resources: [ResourceID]) {
    let source = try beginSource(SourceDraft(key: title, location: title, isLazy: true))
    let record = try appendRecord(
      RecordDraft(source: source, title: title, folder: title, isLazy: true))
    try appendResources(makeDrafts(count, host: title), to: record)
    try completeSource(source)
    return (record, try resources(of: record, offset: 0, limit: count).map(\.id))
  }

  /// Checks that the list, the rows and the counters name the same resources of the only record with any.
  fileprivate func expectNamed(_ ids: [ResourceID], of record: RecordID) throws {
    #expect(try namedResources(of: record) == ids)
    let rows = try resources(of: record, offset: 0, limit: 99)
    #expect(rows.filter(\.isNamed).map(\.id) == ids)
    #expect(try self.record(record)?.counts.named == ids.count)
    #expect(try totals().named == ids.count)
    #expect(try resources(in: .queued, after: nil, limit: 99).allSatisfy { $0.record != record })
  }
}

extension StoreContract {
  static let named = [
    StoreRule("A resource is named until it is finished or has failed") { store in
      let (record, ids) = try store.addLazyRecord(resources: 6)
      let (other, _) = try store.addRecord(resources: 2)
      try store.apply(ids.prefix(5).map { .named($0, true) } + [.named(ResourceID(77), true)])
      try store.expectNamed(Array(ids.prefix(5)), of: record)
      #expect(try store.namedResources(of: other) == [])
      try store.apply(
        [
          .attempted(ids[0]), .stored(ids[1], makeFile(1, bytes: 5)),
          .stored(ids[2], makeFile(2, bytes: 5)), .fetched(ids[2]),
          .requeued(ids[3], reason: "damaged"), .queuedAgain(ids[4], mustReload: true),
        ])
      try store.expectNamed(Array(ids.prefix(5)), of: record)
      try store.apply(
        [
          .failed(ids[0], reason: "HTTP 404", pages: []), .fetched(ids[1]),
          .finished(ids[1], pages: [], reason: nil), .named(ids[4], false), .named(ids[5], false),
        ])
      try store.expectNamed([ids[2], ids[3]], of: record)
      try store.apply([.queuedAgain(ids[0], mustReload: false), .named(ids[0], true)])
      try store.expectNamed([ids[0], ids[2], ids[3]], of: record)
      try store.markRemoved(record)
      #expect(try store.namedResources(of: record) == [])
      #expect(try store.totals().named == 0)
    },
    StoreRule("Named resources come in the record's order") { store in
      let (record, ids) = try store.addLazyRecord(resources: 2)
      let new = try store.insertResources(makeDrafts(1), into: record, at: .top).first
      try store.apply([.named(ids[1], true), .named(ids[0], true), .named(new, true)])
      try store.expectNamed([new, ids[0], ids[1]], of: record)
    },
    StoreRule("A lazy record of a client with a queue of its own is known by its source") { store in
      for (key, isLazy) in [("single:a", true), ("single:b", false), ("http://h/single:", true)] {
        let source = try store.beginSource(
          SourceDraft(key: key, location: key, isLazy: isLazy))
        let id = try store.appendRecord(
          RecordDraft(source: source, title: key, folder: "f\(source.rawValue)", isLazy: isLazy))
        try store.completeSource(source)
        #expect(try store.record(id)?.isQueuedByClient == (key == "single:a"))
      }
    },
    StoreRule("A retry names what it queues in a lazy record, and a cancellation names nothing") {
      store in
      let (record, ids) = try store.addLazyRecord(resources: 5)
      let (other, others) = try store.addRecord(resources: 1)
      try store.apply(
        [
          .failed(ids[0], reason: "x", pages: []), .stored(ids[1], makeFile(1, bytes: 5)),
          .fetched(ids[1]), .failed(ids[1], reason: "ended", pages: []),
          .finished(ids[2], pages: [], reason: nil), .failed(ids[4], reason: "y", pages: []),
          .failed(others[0], reason: "x", pages: []),
        ])
      #expect(try store.perform(.retry(processing: "ended"), on: record) == 3)
      #expect(try store.perform(.retry(processing: "ended"), on: other) == 1)
      // What is processed again is not downloaded.
      try store.expectNamed([ids[0], ids[4]], of: record)
      try store.apply([.named(ids[1], true)])
      #expect(try store.perform(.cancel(reason: "cancelled"), on: record) == 3)
      // What is being processed is not cancelled.
      try store.expectNamed([ids[1]], of: record)
    },
    StoreRule("A reload names what was not queued in a lazy record") { store in
      let (record, ids) = try store.addLazyRecord(resources: 6)
      let (other, others) = try store.addRecord(resources: 2)
      try store.apply(
        [
          .failed(ids[0], reason: "x", pages: []), .stored(ids[1], makeFile(1, bytes: 5)),
          .stored(ids[2], makeFile(2, bytes: 5)), .fetched(ids[2]),
          .finished(ids[3], pages: [], reason: nil), .named(ids[5], true),
          .finished(others[0], pages: [], reason: nil),
        ])
      #expect(try store.perform(.reload, on: record) == 6)
      #expect(try store.perform(.reload, on: other) == 2)
      try store.expectNamed(ids.prefix(4) + [ids[5]], of: record)
      #expect(try store.namedResources(of: other) == [])
      _ = try store.perform(.cancel(reason: "cancelled"), on: record)
      try store.expectNamed([], of: record)
    },
    StoreRule("A change that is undone leaves the named resources as they were") { store in
      let (record, ids) = try store.addLazyRecord(resources: 3)
      try store.apply([.named(ids[0], true)])
      let code = try errorCode {
        try store.transaction { () throws(StoreError) in
          try store.apply([.named(ids[1], true), .failed(ids[0], reason: "x", pages: [])])
          throw StoreError(.diskFull, "full")
        }
      }
      #expect(code == .diskFull)
      try store.expectNamed([ids[0]], of: record)
    },
  ]
}
