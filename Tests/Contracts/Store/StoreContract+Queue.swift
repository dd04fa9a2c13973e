import Models
import Persistence
import TestSupport
import Testing

extension StoreContract {
  static let queue = [
    StoreRule("The queue is read in windows by id, over all records") { store in
      let (_, a) = try store.addRecord("a", resources: 3)
      let (_, b) = try store.addRecord("b", resources: 3)
      let all = a + b
      func window(_ after: ResourceID?, _ limit: Int) throws -> [ResourceID] {
        try store.resources(in: .queued, after: after, limit: limit).map(\.id)
      }
      #expect(try window(nil, 99) == all)
      #expect(try window(nil, 4) == Array(all[0..<4]))
      #expect(try window(all[1], 3) == Array(all[2..<5]))
      #expect(try window(all[5], 3) == [])
      #expect(try window(nil, 0) == [])
      #expect(try window(nil, -1) == [])
      try store.apply([.fetched(all[1]), .fetched(all[3])])
      #expect(try window(nil, 3) == [all[0], all[2], all[4]])
      let fetched = try store.resources(in: .fetched, after: nil, limit: 9)
      #expect(fetched.map(\.id) == [all[1], all[3]])
      #expect(
        try store.resources(in: .fetched, after: all[1], limit: 9).map(\.id) == [all[3]])
      #expect(try store.resources(in: .finished, after: nil, limit: 9) == [])
    },
    StoreRule("URLs that a record has in its queue are found, whether it is paused or lazy") {
      store in
      let (a, _) = try store.addRecord("a", resources: 0)
      let (b, _) = try store.addRecord("b", resources: 0)
      try store.appendResources(makeDrafts(30, host: "h"), to: a)
      try store.appendResources(makeDrafts(20, host: "h"), to: b)
      let second = try store.resources(of: b, offset: 0, limit: 20).map(\.id)
      let urls = try store.resources(of: a, offset: 0, limit: 30).map(\.url)
      let shared = Set(urls.prefix(20))
      func queued(_ wanted: Set<String>) throws(StoreError) -> Set<String> {
        var found: Set<String> = []
        var last: ResourceID?
        repeat {
          let part = try store.queuedURLs(among: wanted, of: b, after: last, limit: 7)
          #expect(part.urls.count <= 7)
          found.formUnion(part.urls)
          last = part.last
        } while last != nil
        return found
      }
      #expect(try queued(Set(urls)) == shared)
      try store.setPaused(true, record: b)
      #expect(try queued(Set(urls)) == shared)
      try store.apply(
        [.stored(second[0], makeFile()), .failed(second[1], reason: "x", pages: [])])
      #expect(try queued(Set(urls)) == Set(urls[2..<20]))
      #expect(try queued(["other"]) == [])
      #expect(try queued([]) == [])
    },
    StoreRule("Records that were filled in turns are merged by id") { store in
      let source = try store.beginSource(SourceDraft(key: "k", location: ""))
      var records: [RecordID] = []
      for title in ["a", "b", "c"] {
        records.append(
          try store.appendRecord(RecordDraft(source: source, title: title, folder: title)))
      }
      for _ in 0..<4 {
        for record in records { try store.appendResources(makeDrafts(2), to: record) }
      }
      try store.completeSource(source)
      let all = try store.resources(in: .queued, after: nil, limit: 99).map(\.id)
      #expect(all.count == 24)
      #expect(all == all.sorted())
      for limit in 1...24 {
        var seen: [ResourceID] = []
        while true {
          let window = try store.resources(in: .queued, after: seen.last, limit: limit)
          if window.isEmpty { break }
          #expect(window.count <= limit)
          seen += window.map(\.id)
        }
        #expect(seen == all)
      }
    },
    StoreRule("A paused record is left out of the queue and of nothing else") { store in
      let (a, first) = try store.addRecord("a", resources: 2)
      let (_, second) = try store.addRecord("b", resources: 1)
      try store.apply([.stored(first[0], makeFile())])
      try store.setPaused(true, record: a)
      #expect(try store.resources(in: .queued, after: nil, limit: 9).map(\.id) == second)
      #expect(try store.resources(in: .stored, after: nil, limit: 9).map(\.id) == [first[0]])
      #expect(try store.resource(first[1]) != nil)
      #expect(try store.totals().total == 3)
      try store.setPaused(false, record: a)
      #expect(
        try store.resources(in: .queued, after: nil, limit: 9).map(\.id)
          == [first[1]] + second)
    },
    StoreRule("A lazy record is left out of the queue and of nothing else") { store in
      let (_, listed) = try store.addRecord("a", resources: 1)
      let source = try store.beginSource(SourceDraft(key: "k", location: ""))
      let lazy = try store.appendRecord(
        RecordDraft(source: source, title: "t", folder: "f", isLazy: true))
      try store.appendResources(makeDrafts(2), to: lazy)
      try store.completeSource(source)
      let ids = try store.resources(of: lazy, offset: 0, limit: 9).map(\.id)
      try store.apply([.stored(ids[0], makeFile())])
      #expect(try store.resources(in: .queued, after: nil, limit: 9).map(\.id) == listed)
      #expect(try store.resources(in: .stored, after: nil, limit: 9).map(\.id) == [ids[0]])
      #expect(try store.totals().total == 3)
    },
    StoreRule("The queue of a priority is that of its records") { store in
      var expected: [RecordPriority: [ResourceID]] = [:]
      for (index, priority) in [RecordPriority.normal, .high, .low, .high].enumerated() {
        let (record, ids) = try store.addRecord("r\(index)", resources: 3)
        try store.setPriority(priority, record: record)
        expected[priority, default: []] += ids
      }
      for priority in RecordPriority.allCases {
        var seen: [ResourceID] = []
        while true {
          let window = try store.resources(
            in: .queued, of: priority, after: seen.last, limit: 2)
          if window.isEmpty { break }
          seen += window.map(\.id)
        }
        #expect(seen == expected[priority])
      }
      let all = expected.values.flatMap { $0 }.sorted()
      #expect(try store.resources(in: .queued, after: nil, limit: 99).map(\.id) == all)
      try store.apply(all.map { .fetched($0) })
      let fetched = try store.resources(in: .fetched, of: .low, after: nil, limit: 99)
      #expect(fetched.map(\.id) == all)
    },
  ]
}
