import Models
import Persistence
import TestSupport
import Testing

extension StoreContract {
  static let life = [
    StoreRule("A closed store says so to every call, and closes twice") { store in
      let (record, ids) = try store.addRecord(resources: 1)
      store.close()
      store.close()
      let calls: [() throws -> Void] = [
        { _ = try store.beginSource(SourceDraft(key: "", location: "")) },
        { try store.completeSource(SourceID(1)) },
        { try store.discardSource(SourceID(1)) },
        { try store.setState(SourceState(), of: SourceID(1)) },
        { _ = try store.source(SourceID(1)) },
        { _ = try store.source(key: "") },
        { _ = try store.incompleteSources() },
        {
          _ = try store.appendRecord(RecordDraft(source: SourceID(1), title: "", folder: ""))
        },
        { try store.appendResources([], to: record) },
        { _ = try store.standaloneRecord(folder: "standalone") },
        { _ = try store.standaloneRecord() },
        { _ = try store.records(offset: 0, limit: 1) },
        { _ = try store.record(record) },
        { _ = try store.records(of: SourceID(1)) },
        { _ = try store.records(titled: "") },
        { _ = try store.recordCount() },
        { _ = try store.totals() },
        { try store.setPaused(true, record: record) },
        { try store.setPriority(.high, record: record) },
        { try store.removeRecord(record) },
        { try store.removeAll() },
        { _ = try store.resource(ids[0]) },
        { _ = try store.resources(of: record, offset: 0, limit: 1) },
        { _ = try store.resources(in: .queued, after: nil, limit: 1) },
        { try store.apply([]) },
        { _ = try store.lastResource() },
        { _ = try store.advance(record, limit: 1) },
        { _ = try store.perform(.reload, on: record) },
        { try store.beginChange(.cancel(reason: ""), of: record) },
        { _ = try store.recordsInChange() },
        { _ = try store.namedResources(of: record) },
        { _ = try store.removeRows(of: record, limit: 1) },
        { _ = try store.partial(of: makeRequest(1)) },
        { _ = try store.partials() },
        { _ = try store.pages(of: ids[0]) },
        { _ = try store.firstPageSizes(of: record, offset: 0, limit: 1) },
        { _ = try store.resourceIDs(of: record, ResourceSelection()) },
        { _ = try store.resources(ids) },
        { _ = try store.firstPages(of: ids) },
        { _ = try store.failedCount(of: record, reason: "") },
        { _ = try store.answers(to: []) },
        { _ = try store.holders(of: [], limit: 1) },
        { try store.use([], in: .standalone) },
        { try store.touch([], in: .standalone) },
        { _ = try store.overflow(of: .standalone, count: 0, bytes: 0, limit: 1) },
        { try store.removeEntries([], in: .standalone) },
        { _ = try store.size(of: .standalone) },
        { _ = try store.pageWork() },
        { try store.setPageWork([]) },
        { _ = try store.libraryState() },
        { try store.setLibraryState(LibraryState()) },
        { try store.transaction {} },
      ]
      for (index, call) in calls.enumerated() {
        #expect(try errorCode(call) == .closed, "call \(index)")
      }
    }
  ]
}
