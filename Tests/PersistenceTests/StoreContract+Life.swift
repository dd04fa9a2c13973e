import Models
import Persistence
import Testing

extension StoreContract {
  static let life = [
    StoreRule("A closed store says so to every call, and closes twice") { store in
      let (record, ids) = try await store.addRecord(resources: 1)
      await store.close()
      await store.close()
      let calls: [@Sendable () async throws -> Void] = [
        { _ = try await store.beginSource(SourceDraft(key: "", location: "")) },
        { try await store.completeSource(SourceID(1)) },
        { try await store.discardSource(SourceID(1)) },
        { try await store.note(SourceState(), of: SourceID(1)) },
        { _ = try await store.source(SourceID(1)) },
        { _ = try await store.source(key: "") },
        { _ = try await store.incompleteSources() },
        {
          _ = try await store.appendRecord(RecordDraft(source: SourceID(1), title: "", folder: ""))
        },
        { try await store.appendResources([], to: record) },
        { _ = try await store.looseRecord(folder: "loose") },
        { _ = try await store.looseRecord() },
        { _ = try await store.records(offset: 0, limit: 1) },
        { _ = try await store.record(record) },
        { _ = try await store.records(of: SourceID(1)) },
        { _ = try await store.records(titled: "") },
        { _ = try await store.recordCount() },
        { _ = try await store.totals() },
        { try await store.setPaused(true, record: record) },
        { try await store.setPriority(.high, record: record) },
        { try await store.removeRecord(record) },
        { try await store.removeAll() },
        { _ = try await store.resource(ids[0]) },
        { _ = try await store.resources(of: record, offset: 0, limit: 1) },
        { _ = try await store.resources(in: .queued, after: nil, limit: 1) },
        { try await store.apply([], durable: true) },
        { _ = try await store.lastResource() },
        { _ = try await store.requeueFailed(of: nil) },
        { _ = try await store.requeueAll(of: record) },
        { _ = try await store.giveUpQueued(of: record, reason: "") },
        { _ = try await store.partial(of: makeRequest(1)) },
        { _ = try await store.partials() },
        { _ = try await store.pages(of: ids[0]) },
        { _ = try await store.firstPageSizes(of: record, offset: 0, limit: 1) },
        { _ = try await store.failedCount(of: record, reason: "") },
        { _ = try await store.answers(to: []) },
        { _ = try await store.holders(of: [], limit: 1) },
        { try await store.use([], in: .loose) },
        { try await store.touch([], in: .loose) },
        { _ = try await store.overflow(of: .loose, count: 0, bytes: 0, limit: 1) },
        { try await store.forget([], in: .loose) },
        { _ = try await store.size(of: .loose) },
        { _ = try await store.pageWork() },
        { try await store.setPageWork([]) },
        { _ = try await store.libraryState() },
        { try await store.setLibraryState(LibraryState()) },
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
