import Models
import Persistence
import TestSupport
import Testing

private let interruption = StoreError(.internal, "interrupted")

extension StoreContract {
  static let transactions = [
    StoreRule("A transaction returns the result of its body, and makes all of its changes") {
      store in
      let (record, ids) = try store.addRecord(resources: 2)
      let queued = try store.transaction { () throws(StoreError) in
        try store.apply([.stored(ids[0], makeFile(bytes: 7))])
        try store.setPaused(true, record: record)
        // Its own changes are there for its queries.
        return try store.totals().queued
      }
      #expect(queued == 1)
      #expect(try store.record(record)?.isPaused == true)
      #expect(try store.totals().bytes == 7)
    },
    StoreRule("A transaction that throws undoes all of its changes, of any kind") { store in
      let (record, ids) = try store.addRecord(resources: 3)
      try store.apply([.stored(ids[0], makeFile(1)), .fetched(ids[0])])
      try store.use([CacheEntry(name: "a", bytes: 1)], in: .standalone)
      func seen() throws(StoreError) -> StoreSnapshot {
        try StoreSnapshot(
          store, requests: [makeRequest(1)], digests: [makeDigest(1), makeDigest(2)])
      }
      let before = try seen()
      for _ in 1...2 {
        let code = try errorCode {
          try store.transaction { () throws(StoreError) in
            _ = try store.addRecord("other", resources: 2, key: "other")
            try store.apply([
              .stored(ids[1], makeFile(2, answer: makeAnswer(1))), .removed(ids[2]),
              .finished(ids[0], pages: makePages(2), reason: nil),
              .partial(makeRequest(1), anyPartial),
            ])
            _ = try store.perform(.reload, on: record)
            try store.setPriority(.high, record: record)
            try store.setLibraryState(makeState(concurrency: 5))
            try store.setPageWork([PageWork(ids[0], isRunning: true)])
            try store.removeEntries(["a"], in: .standalone)
            _ = try store.standaloneRecord(folder: "standalone")
            throw interruption
          }
        }
        #expect(code == .internal)
        #expect(try seen() == before)
        #expect(try store.size(of: .standalone) == CacheSize(count: 1, bytes: 1))
        #expect(try store.pageWork() == [])
      }
      _ = try store.addRecord("other", resources: 1, key: "other")
      #expect(try store.recordCount() == 2)
    },
    StoreRule("A transaction inside another one is undone with it") { store in
      let (_, ids) = try store.addRecord(resources: 2)
      let code = try errorCode {
        try store.transaction { () throws(StoreError) in
          try store.transaction { () throws(StoreError) in
            try store.apply([.attempted(ids[0])])
          }
          try store.apply([.attempted(ids[1])])
          throw interruption
        }
      }
      #expect(code == .internal)
      #expect(try ids.map { try store.resource($0)?.attempts } == [0, 0])
    },
    StoreRule(
      "A part that changed something and threw undoes the whole, even if the error is caught"
    ) {
      store in
      let (_, ids) = try store.addRecord(resources: 2)
      let code = try errorCode {
        try store.transaction { () throws(StoreError) in
          try store.apply([.attempted(ids[0])])
          let inner = caught { () throws(StoreError) in
            try store.transaction { () throws(StoreError) in
              try store.apply([.attempted(ids[1])])
              throw interruption
            }
          }
          #expect(inner == .internal)
          // Nothing more is taken.
          #expect(
            caught { () throws(StoreError) in try store.apply([.attempted(ids[0])]) } == .internal)
        }
      }
      #expect(code == .internal)
      #expect(try ids.map { try store.resource($0)?.attempts } == [0, 0])
      try store.apply([.attempted(ids[0])])
      #expect(try store.resource(ids[0])?.attempts == 1)
    },
    StoreRule("A refused change inside a transaction leaves the others unchanged") { store in
      let (record, _) = try store.addRecord("taken", resources: 1)
      let source = try #require(try store.record(record)).source
      let added = try store.transaction { () throws(StoreError) in
        let first = try store.appendRecord(
          RecordDraft(source: source, title: "t", folder: "first"))
        let taken = caught { () throws(StoreError) in
          _ = try store.appendRecord(RecordDraft(source: source, title: "t", folder: "TAKEN"))
        }
        #expect(taken == .folderTaken)
        let missing = caught { () throws(StoreError) in
          try store.setPaused(true, record: RecordID(99))
        }
        #expect(missing == .notFound)
        return [
          first,
          try store.appendRecord(RecordDraft(source: source, title: "t", folder: "taken 2")),
        ]
      }
      #expect(try store.records(offset: 1, limit: 9).map(\.id) == added)
    },
    StoreRule("A sync commits the open group, and changes nothing else") { store in
      let (_, ids) = try store.addRecord(resources: 1)
      try await store.sync()
      try store.addToGroup { () throws(StoreError) in try store.apply([.attempted(ids[0])]) }
      try await store.sync()
      #expect(try await store.reader.resource(ids[0])?.attempts == 1)
      try store.commitGroup()
      try store.apply([.attempted(ids[0])])
      #expect(try store.resource(ids[0])?.attempts == 2)
    },
    StoreRule("A group is visible to queries at once, and to readers after its commit") { store in
      let (record, ids) = try store.addRecord(resources: 3)
      for round in 1...2 {
        for id in ids {
          try store.addToGroup { () throws(StoreError) in
            try store.apply([.attempted(id)])
            // A transaction inside is part of it, as one of a query is.
            try store.apply([.attempted(id)])
          }
          #expect(try store.resource(id)?.attempts == 2 * round)
          #expect(try store.resources(of: record, offset: 0, limit: 9).count == 3)
          try store.checkUnlocked()
        }
        try store.commitGroup()
        var seen: [Int] = []
        for id in ids { seen.append(try await store.reader.resource(id)?.attempts ?? -1) }
        #expect(seen == Array(repeating: 2 * round, count: 3))
      }
      // There is none any more.
      try store.commitGroup()
    },
    StoreRule("Any other transaction commits the group, also one that is undone") { store in
      let (_, ids) = try store.addRecord(resources: 2)
      try store.addToGroup { () throws(StoreError) in
        try store.apply([.attempted(ids[0])])
      }
      let code = try errorCode {
        try store.transaction { () throws(StoreError) in
          try store.apply([.attempted(ids[1])])
          throw interruption
        }
      }
      #expect(code == .internal)
      #expect(try await store.reader.resource(ids[0])?.attempts == 1)
      #expect(try await store.reader.resource(ids[1])?.attempts == 0)
      try store.commitGroup()
    },
    StoreRule("A part of a group that throws leaves no changes, and the next part is executed") {
      store in
      let (_, ids) = try store.addRecord(resources: 2)
      let code = try errorCode {
        try store.addToGroup { () throws(StoreError) in
          try store.apply([.attempted(ids[0])])
          throw interruption
        }
      }
      #expect(code == .internal)
      let caughtInside = try errorCode {
        try store.addToGroup { () throws(StoreError) in
          _ = caught { () throws(StoreError) in
            try store.transaction { () throws(StoreError) in
              try store.apply([.attempted(ids[0])])
              throw interruption
            }
          }
        }
      }
      #expect(caughtInside == .internal)
      try store.addToGroup { () throws(StoreError) in
        try store.apply([.attempted(ids[1])])
      }
      try store.commitGroup()
      #expect(try ids.map { try store.resource($0)?.attempts } == [0, 1])
    },
  ]
}

/// The code of the error that a part of a transaction throws.
private func caught(_ body: () throws(StoreError) -> Void) -> StoreError.Code? {
  do throws(StoreError) {
    try body()
    return nil
  } catch {
    return error.code
  }
}
