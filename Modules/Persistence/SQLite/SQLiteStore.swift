import Models
import Persistence

/// A library in `library.sqlite`: one thread writes, another reads, neither waits for the other
/// (write-ahead log).
final class SQLiteStore: LibraryStore {
  private let file: LibraryFile
  private let writer: DatabaseThread
  private let reader: DatabaseThread

  init(file: LibraryFile, writer: DatabaseThread, reader: DatabaseThread) {
    self.file = file
    self.writer = writer
    self.reader = reader
  }

  /// A check reads everything, so it has a connection and a thread of its own for the time it takes.
  func integrityProblems() async throws(StoreError) -> [String] {
    try await reader.read { _ throws(StoreError) in }  // `.closed`, if it is.
    let checker = DatabaseThread(label: "imgdl.store.checker")
    try await checker.open { [file] () throws(StoreError) in try file.reader() }
    let problems = try await checker.read { $0.integrityProblems() }
    await checker.close()
    return problems
  }

  func close() async {
    await reader.close()
    await writer.close()
  }
}

// Sources
extension SQLiteStore {
  func beginSource(_ draft: SourceDraft) async throws(StoreError) -> SourceID {
    try await writer.write { db throws(StoreError) in try db.beginSource(draft) }
  }

  func completeSource(_ id: SourceID) async throws(StoreError) {
    try await writer.write { db throws(StoreError) in try db.completeSource(id) }
  }

  func discardSource(_ id: SourceID) async throws(StoreError) {
    try await writer.outsideTransactions { db throws(StoreError) in try db.discardSource(id) }
  }

  func source(key: String) async throws(StoreError) -> SourceRow? {
    try await reader.read { db throws(StoreError) in try db.source(key: key) }
  }

  func incompleteSources() async throws(StoreError) -> [SourceRow] {
    try await reader.read { db throws(StoreError) in try db.incompleteSources() }
  }
}

// Records
extension SQLiteStore {
  func appendRecord(_ draft: RecordDraft) async throws(StoreError) -> RecordID {
    try await writer.write { db throws(StoreError) in try db.appendRecord(draft) }
  }

  func records(offset: Int, limit: Int) async throws(StoreError) -> [Record] {
    try await reader.read { db throws(StoreError) in try db.records(offset: offset, limit: limit) }
  }

  func record(_ id: RecordID) async throws(StoreError) -> Record? {
    try await reader.read { db throws(StoreError) in try db.record(id) }
  }

  func records(of source: SourceID) async throws(StoreError) -> [Record] {
    try await reader.read { db throws(StoreError) in try db.records(of: source) }
  }

  func records(titled title: String) async throws(StoreError) -> [Record] {
    try await reader.read { db throws(StoreError) in try db.records(titled: title) }
  }

  func recordCount() async throws(StoreError) -> Int {
    try await reader.read { db throws(StoreError) in try db.recordCount() }
  }

  func totals() async throws(StoreError) -> ResourceCounts {
    try await reader.read { db throws(StoreError) in try db.totals() }
  }

  func setPaused(_ paused: Bool, record: RecordID) async throws(StoreError) {
    try await writer.write { db throws(StoreError) in try db.setPaused(paused, record: record) }
  }

  func removeRecord(_ id: RecordID) async throws(StoreError) {
    try await writer.outsideTransactions { db throws(StoreError) in try db.removeRecord(id) }
  }

  func removeAll() async throws(StoreError) {
    try await writer.outsideTransactions { db throws(StoreError) in try db.removeAll() }
  }
}

// Resources
extension SQLiteStore {
  func appendResources(
    _ drafts: [ResourceDraft], to record: RecordID
  ) async throws(StoreError) {
    try await writer.write { db throws(StoreError) in try db.appendResources(drafts, to: record) }
  }

  func resource(_ id: ResourceID) async throws(StoreError) -> Resource? {
    try await reader.read { db throws(StoreError) in try db.resource(id) }
  }

  func resources(
    of record: RecordID, offset: Int, limit: Int
  ) async throws(StoreError) -> [Resource] {
    try await reader.read { db throws(StoreError) in
      try db.resources(of: record, offset: offset, limit: limit)
    }
  }

  func resources(
    in state: ResourceState, after: ResourceID?, limit: Int
  ) async throws(StoreError) -> [Resource] {
    try await reader.read { db throws(StoreError) in
      try db.resources(in: state, after: after, limit: limit)
    }
  }

  func apply(_ changes: [ResourceChange], durable: Bool) async throws(StoreError) {
    try await writer.write(durable: durable) { db throws(StoreError) in try db.apply(changes) }
  }

  func requeueFailed(of record: RecordID?) async throws(StoreError) -> Int {
    try await writer.write { db throws(StoreError) in try db.requeueFailed(of: record) }
  }

  func partial(of id: ResourceID) async throws(StoreError) -> PartialDownload? {
    try await reader.read { db throws(StoreError) in try db.partial(of: id) }
  }

  func partials() async throws(StoreError) -> [ResourceID] {
    try await reader.read { db throws(StoreError) in try db.partials() }
  }

  func pages(of id: ResourceID) async throws(StoreError) -> [Page] {
    try await reader.read { db throws(StoreError) in try db.pages(of: id) }
  }
}
