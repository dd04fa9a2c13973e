import Models
import Persistence
import Testing

extension StoreContract {
  static let queue = [
    StoreRule("The queue comes in windows by id, over all records") { store in
      let (_, a) = try await store.addRecord("a", resources: 3)
      let (_, b) = try await store.addRecord("b", resources: 3)
      let all = a + b
      func window(_ after: ResourceID?, _ limit: Int) async throws -> [ResourceID] {
        try await store.resources(in: .queued, after: after, limit: limit).map(\.id)
      }
      #expect(try await window(nil, 99) == all)
      #expect(try await window(nil, 4) == Array(all[0..<4]))
      #expect(try await window(all[1], 3) == Array(all[2..<5]))
      #expect(try await window(all[5], 3) == [])
      #expect(try await window(nil, 0) == [])
      #expect(try await window(nil, -1) == [])
      try await store.apply([.fetched(all[1]), .fetched(all[3])], durable: false)
      #expect(try await window(nil, 3) == [all[0], all[2], all[4]])
      let fetched = try await store.resources(in: .fetched, after: nil, limit: 9)
      #expect(fetched.map(\.id) == [all[1], all[3]])
      #expect(
        try await store.resources(in: .fetched, after: all[1], limit: 9).map(\.id) == [all[3]])
      #expect(try await store.resources(in: .finished, after: nil, limit: 9) == [])
    },
    StoreRule("Records that were filled in turns are merged by id") { store in
      let source = try await store.beginSource(SourceDraft(key: "k", location: ""))
      var records: [RecordID] = []
      for title in ["a", "b", "c"] {
        records.append(
          try await store.appendRecord(RecordDraft(source: source, title: title, folder: title)))
      }
      for _ in 0..<4 {
        for record in records { try await store.appendResources(makeDrafts(2), to: record) }
      }
      try await store.completeSource(source)
      let all = try await store.resources(in: .queued, after: nil, limit: 99).map(\.id)
      #expect(all.count == 24)
      #expect(all == all.sorted())
      for limit in 1...24 {
        var seen: [ResourceID] = []
        while true {
          let window = try await store.resources(in: .queued, after: seen.last, limit: limit)
          if window.isEmpty { break }
          #expect(window.count <= limit)
          seen += window.map(\.id)
        }
        #expect(seen == all)
      }
    },
    StoreRule("A paused record is left out of the queue and of nothing else") { store in
      let (a, first) = try await store.addRecord("a", resources: 2)
      let (_, second) = try await store.addRecord("b", resources: 1)
      try await store.apply([.stored(first[0], makeFile())], durable: false)
      try await store.setPaused(true, record: a)
      #expect(try await store.resources(in: .queued, after: nil, limit: 9).map(\.id) == second)
      #expect(try await store.resources(in: .stored, after: nil, limit: 9).map(\.id) == [first[0]])
      #expect(try await store.resource(first[1]) != nil)
      #expect(try await store.totals().total == 3)
      try await store.setPaused(false, record: a)
      #expect(
        try await store.resources(in: .queued, after: nil, limit: 9).map(\.id)
          == [first[1]] + second)
    },
  ]

  static let life = [
    StoreRule("A closed store says so to every call, and closes twice") { store in
      let (record, ids) = try await store.addRecord(resources: 1)
      await store.close()
      await store.close()
      let calls: [@Sendable () async throws -> Void] = [
        { _ = try await store.beginSource(SourceDraft(key: "", location: "")) },
        { try await store.completeSource(SourceID(1)) },
        { try await store.discardSource(SourceID(1)) },
        { _ = try await store.source(key: "") },
        { _ = try await store.incompleteSources() },
        {
          _ = try await store.appendRecord(RecordDraft(source: SourceID(1), title: "", folder: ""))
        },
        { try await store.appendResources([], to: record) },
        { _ = try await store.records(offset: 0, limit: 1) },
        { _ = try await store.record(record) },
        { _ = try await store.records(of: SourceID(1)) },
        { _ = try await store.records(titled: "") },
        { _ = try await store.recordCount() },
        { _ = try await store.totals() },
        { try await store.setPaused(true, record: record) },
        { try await store.removeRecord(record) },
        { try await store.removeAll() },
        { _ = try await store.resource(ids[0]) },
        { _ = try await store.resources(of: record, offset: 0, limit: 1) },
        { _ = try await store.resources(in: .queued, after: nil, limit: 1) },
        { try await store.apply([], durable: true) },
        { _ = try await store.requeueFailed(of: nil) },
        { _ = try await store.partial(of: ids[0]) },
        { _ = try await store.partials() },
        { _ = try await store.pages(of: ids[0]) },
        { _ = try await store.integrityProblems() },
      ]
      for (index, call) in calls.enumerated() {
        #expect(try await errorCode(call) == .closed, "call \(index)")
      }
    },
    StoreRule("Eight tasks at once lose nothing and see their own writes") { store in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<8 {
          group.addTask {
            let (record, ids) = try await store.addRecord(
              "task \(task)", resources: 40, key: "key \(task)")
            for (index, id) in ids.enumerated() {
              let file = makeFile(UInt8(index), bytes: 1)
              try await store.apply([.attempted(id), .stored(id, file)], durable: index % 16 == 0)
              #expect(try await store.resource(id)?.file == file)
              #expect(try await store.record(record)?.counts.stored == index + 1)
            }
            try await store.apply(ids.map { .failed($0, reason: "x", pages: []) }, durable: false)
            #expect(try await store.requeueFailed(of: record) == 40)
            if task % 2 == 1 { try await store.removeRecord(record) }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await store.recordCount() == 4)
      #expect(try await store.totals().queued == 160)
      #expect(try await store.totals().bytes == 160)
    },
  ]
}
