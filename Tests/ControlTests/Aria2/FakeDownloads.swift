import LibraryAPI
import Manifests
import Models
import TestSupport

/// Downloads that only remember what was asked of them.
actor FakeDownloads: SingleDownloads {
  enum Call: Sendable, Equatable {
    case add([SingleDownload], String)
    case start([ResourceID: Int])
    case stop([ResourceID], discards: Bool)
    case limit(Int)
  }

  nonisolated let calls = Watched<[Call]>([])
  /// The errors of the next additions, in order.
  nonisolated let failures = Watched<[LibraryError]>([])
  /// The result of the reading of every Metalink document; the error if it is nil.
  nonisolated let metalink = Watched<[ManifestEntry]?>([])
  private var lastID: Int64 = 0

  func files(
    ofMetalink document: [UInt8]
  ) async throws(LibraryError) -> (entries: [ManifestEntry], problems: [String]) {
    guard let entries = metalink.value else { throw LibraryError(.source, "not well-formed") }
    return (entries, [])
  }

  func addResources(
    _ drafts: [SingleDownload], toRecord title: String
  ) async throws(LibraryError) -> (ids: [ResourceID], record: Record) {
    calls.update { $0.append(.add(drafts, title)) }
    if let error = failures.update({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
    let ids = drafts.map { _ in
      lastID += 1
      return ResourceID(lastID)
    }
    return (
      ids, Record(id: RecordID(1), source: SourceID(1), title: title, folder: title, isLazy: true)
    )
  }

  func startTransfers(_ limits: [ResourceID: Int]) async throws(LibraryError) {
    calls.update { $0.append(.start(limits)) }
  }

  func stopTransfers(
    of resources: [ResourceID], discardingFiles discardsFiles: Bool
  ) async throws(LibraryError) {
    calls.update { $0.append(.stop(resources, discards: discardsFiles)) }
  }

  func setRateLimit(bytesPerSecond: Int) async throws(LibraryError) {
    calls.update { $0.append(.limit(bytesPerSecond)) }
  }
}
