import Models
import Persistence
import TestSupport

/// What tests ask of the rows beside every engine, and do to them behind its back.
extension LibraryDisk {
  func apply(_ changes: [ResourceChange]) throws(StoreError) {
    try write { store throws(StoreError) in try store.apply(changes) }
  }

  func partials() async throws(StoreError) -> [RequestKey] {
    try await read { rows throws(StoreError) in try rows.partials() }
  }

  func partial(of request: RequestKey) async throws(StoreError) -> PartialDownload? {
    try await read { rows throws(StoreError) in try rows.partial(of: request) }
  }

  func pageWork() async throws(StoreError) -> [PageWork] {
    try await read { rows throws(StoreError) in try rows.pageWork() }
  }

  func recordsInChange() async throws(StoreError) -> [RecordID] {
    try await read { rows throws(StoreError) in try rows.recordsInChange() }
  }

  func removedRecords() async throws(StoreError) -> [Record] {
    try await read { rows throws(StoreError) in try rows.removedRecords() }
  }

  func incompleteSources() async throws(StoreError) -> [SourceRow] {
    try await read { rows throws(StoreError) in try rows.incompleteSources() }
  }

  func overflow(
    of cache: CacheName, count: Int, bytes: Int64, limit: Int
  ) async throws(StoreError) -> [CacheEntry] {
    try await read { rows throws(StoreError) in
      try rows.overflow(of: cache, count: count, bytes: bytes, limit: limit)
    }
  }
}
