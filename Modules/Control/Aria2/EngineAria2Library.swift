import Aria2
import LibraryAPI
import Manifests
import Models
import Persistence
import ProgressTree

/// The library of the aria2 interface: the engine and the store of this server.
struct EngineAria2Library: Aria2Library {
  let service: any LibraryService
  let downloads: any SingleDownloads
  let reading: LibraryReading

  func addResource(
    for order: TransferOrder
  ) async throws(Aria2LibraryError) -> (resource: ResourceID, folder: String) {
    let draft = SingleDownload(
      url: order.uri, title: order.fileName, expectedChecksum: order.checksum,
      expectedByteCount: order.byteCount, fields: order.fields)
    do throws(LibraryError) {
      let (ids, record) = try await downloads.addResources([draft], toRecord: order.record)
      guard let id = ids.first else { throw LibraryError(.store, "the store added no resource") }
      return (id, folder(of: record))
    } catch {
      throw Aria2LibraryError(error)
    }
  }

  func earlierResources(
    for order: TransferOrder
  ) async -> (resources: [ResourceID], folder: String)? {
    guard let store = try? await reading.store() else { return nil }
    let root = reading.root
    return try? await store.read { rows throws(StoreError) in
      for record in try rows.records(titled: order.record) where record.isLazy {
        let found = try rows.resources(
          of: record.id, offset: max(0, record.counts.total - Self.recentCount),
          limit: Self.recentCount)
        let ids = found.filter { $0.state != .failed && order.describes($0) }.map(\.id)
        if !ids.isEmpty { return (ids, "\(root)/\(record.folder)") }
      }
      return nil
    }
  }

  /// The number of resources at the end of a record among which those of an order are looked for. The session file
  /// lacks the resources of its last second only.
  private static let recentCount = 1_000

  func metalinkFiles(
    in document: [UInt8]
  ) async throws(Aria2LibraryError) -> (files: [MetalinkFile], problems: [String]) {
    do throws(LibraryError) {
      let (entries, problems) = try await downloads.files(ofMetalink: document)
      return (entries.map { MetalinkFile($0) }, problems)
    } catch {
      throw Aria2LibraryError(error)
    }
  }

  func start(_ limits: [ResourceID: TransferLimits]) async throws(Aria2LibraryError) {
    do throws(LibraryError) {
      try await downloads.setConnections(limits.mapValues(\.connections))
      try await downloads.startTransfers(limits.mapValues(\.bytesPerSecond))
    } catch {
      throw Aria2LibraryError(error)
    }
  }

  func stop(_ resource: ResourceID) async throws(Aria2LibraryError) {
    try await stop(resource, discardsFiles: false)
  }

  func discard(_ resource: ResourceID) async throws(Aria2LibraryError) {
    try await stop(resource, discardsFiles: true)
  }

  private func stop(
    _ resource: ResourceID, discardsFiles: Bool
  ) async throws(Aria2LibraryError) {
    do throws(LibraryError) {
      try await downloads.stopTransfers(of: [resource], discardingFiles: discardsFiles)
    } catch {
      throw Aria2LibraryError(error)
    }
  }

  func setConcurrency(_ limit: Int) async throws(Aria2LibraryError) {
    do throws(LibraryError) {
      try await service.setConcurrency(limit)
    } catch {
      throw Aria2LibraryError(error)
    }
  }

  func setRateLimit(bytesPerSecond: Int) async throws(Aria2LibraryError) {
    do throws(LibraryError) {
      try await downloads.setRateLimit(bytesPerSecond: bytesPerSecond)
    } catch {
      throw Aria2LibraryError(error)
    }
  }

  func progress() async -> [ResourceID: Aria2Progress] {
    guard let status = try? await service.status() else { return [:] }
    var progress: [ResourceID: Aria2Progress] = [:]
    for resource in status.progress.active {
      if case .downloading(let received, let expected) = resource.activity {
        progress[resource.id] = Aria2Progress(
          received: received, expected: expected, connections: resource.connections ?? 1)
      }
    }
    return progress
  }

  func title(of record: RecordID) async -> String? {
    guard let store = try? await reading.store() else { return nil }
    return try? await store.read { rows throws(StoreError) in
      guard let row = try rows.record(record),
        try rows.source(row.source)?.draft.key == SingleDownload.sourceKey(ofRecord: row.title)
      else { return nil }
      return row.title
    }
  }

  func states(of resources: [ResourceID]) async -> [ResourceID: Aria2ResourceState]? {
    guard let store = try? await reading.store() else { return nil }
    let root = reading.root
    return try? await store.read { rows throws(StoreError) in
      var folders: [RecordID: String] = [:]
      var states: [ResourceID: Aria2ResourceState] = [:]
      for resource in try rows.resources(resources) {
        if folders[resource.record] == nil {
          folders[resource.record] = try rows.record(resource.record)?.folder
        }
        states[resource.id] = Self.state(of: resource, folders[resource.record], below: root)
      }
      return states
    }
  }

  private static func state(
    of resource: Resource, _ folder: String?, below root: String
  ) -> Aria2ResourceState? {
    // A resource whose record was removed exists until its row is deleted.
    guard let folder else { return nil }
    switch resource.state {
    case .queued, .stored, .fetched: return .unfinished
    case .failed: return .failed(reason: resource.reason ?? "")
    case .finished:
      let path = resource.file.map { "\(root)/\(folder)/\($0.name)" }
      return .finished(path: path, byteCount: resource.file?.byteCount ?? 0)
    }
  }

  private func folder(of record: Record) -> String { "\(reading.root)/\(record.folder)" }
}

extension TransferOrder {
  /// Whether a resource was created for such an order.
  fileprivate func describes(_ resource: Resource) -> Bool {
    resource.url == uri && resource.title == fileName && resource.fields == fields
      && resource.expectedChecksum == checksum
  }
}

extension MetalinkFile {
  fileprivate init(_ entry: ManifestEntry) {
    self.init(
      name: entry.name, uris: [entry.address] + entry.mirrors,
      checksum: entry.checksum, byteCount: entry.byteCount)
  }
}

extension Aria2LibraryError {
  fileprivate init(_ error: LibraryError) {
    self.init(error.detail, isFinal: error.code.concernsDraft)
  }
}

extension LibraryError.Code {
  /// Whether the library refuses a download because of its URL and options. Any other failure, such as that of
  /// the database or of an engine that is being replaced, would meet every other download as well.
  fileprivate var concernsDraft: Bool {
    switch self {
    case .source, .policy, .tls, .encrypted, .noRanges: true
    case .network, .diskFull, .io, .locked, .store, .noSuchRecord, .interrupted, .disconnected,
      .internalError:
      false
    }
  }
}
