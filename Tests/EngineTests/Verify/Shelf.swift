import Hashing
import LibraryAPI
import Models
import Persistence
import PersistenceMemory
import SystemCalls
import TestSupport
import Verification
@testable import Engine

/// A library on disk with its store, put together without an engine.
struct Shelf {
  let folder: TemporaryFolder
  let store: LibraryDisk

  var layout: LibraryLayout { LibraryLayout(root: folder.path) }

  init(_ store: sending any LibraryStore = MemoryStore()) throws {
    folder = try TemporaryFolder()
    self.store = LibraryDisk(store)
  }

  /// Adds a record of resources without files.
  func add(_ drafts: [ResourceDraft]) throws -> RecordID {
    try store.write { store throws(StoreError) in
      let source = try store.beginSource(SourceDraft(key: "k", location: "k"))
      let record = try store.appendRecord(
        RecordDraft(source: source, title: "Birds: 1", folder: "Birds_ 1"), at: .end)
      _ = try store.insertResources(drafts, into: record, at: .end)
      try store.completeSource(source)
      return record
    }
  }

  /// A record of which every file is in place.
  /// - Parameter contents: of its files, in order.
  @discardableResult
  func add(_ title: String, _ contents: [[UInt8]]) async throws -> [Resource] {
    let drafts = contents.indices.map { ResourceDraft(url: "http://h/\($0 + 1).bin") }
    let (record, ids) = try store.write { store throws(StoreError) in
      let source = try store.beginSource(SourceDraft(key: title, location: title))
      let record = try store.appendRecord(
        RecordDraft(source: source, title: title, folder: title), at: .end)
      let ids = try store.insertResources(drafts, into: record, at: .end)
      try store.completeSource(source)
      return (record, ids)
    }
    var changes: [ResourceChange] = []
    for (index, bytes) in contents.enumerated() {
      let id = ResourceID(ids.first.rawValue + Int64(index))
      let file = StoredFile(
        name: "\(index + 1).bin", byteCount: Int64(bytes.count),
        digest: SHA256Hasher.hash(of: bytes), format: .unknown)
      changes.append(.stored(id, file))
      changes.append(.finished(id, pages: [], reason: nil))
      try write("\(title)/\(file.name)", bytes)
    }
    try store.apply(changes)
    return try await store.resources(of: record, offset: 0, limit: contents.count)
  }

  func path(_ name: String) -> String { folder.path + "/" + name }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    try FileSystem.makeFolders(FileSystem.parentFolder(of: path(name)))
    let file = try FileSystem.open(path(name), .writing, create: .replacing)
    try file.write(all: bytes.span.bytes)
  }

  /// Changes one byte, without another length.
  func flip(_ name: String) throws {
    let file = try FileSystem.open(path(name), .readingAndWriting)
    let byte = try file.bytes(count: 1, at: 0)
    try file.write(all: [~(byte.first ?? 0)].span.bytes, at: 0)
  }

  func link(_ name: String, as new: String) throws {
    try? FileSystem.remove(path(new))
    try FileSystem.link(path(name), to: path(new))
  }

  /// - Returns: the report, and what was found.
  func verify(
    readsData: Bool = false, requeues: Bool = false
  ) async throws -> (report: VerifyReport, found: [VerifyFinding]) {
    let findings = Watched<[VerifyFinding]>([])
    let requeue: LibraryVerifier.Requeue? = requeues ? requeue : nil
    let report = try await LibraryVerifier(layout: layout, store: store, requeue: requeue).run(
      readingData: readsData
    ) { finding in findings.update { $0.append(finding) } }
    return (report, findings.value)
  }

  /// As an engine does it.
  func requeue(_ resources: [ResourceID], _ reason: String) throws {
    try store.apply(resources.map { .requeued($0, reason: reason) })
  }

  func states() async throws -> [ResourceState] {
    var states: [ResourceState] = []
    for record in try await store.records(offset: 0, limit: 100) {
      states += try await store.resources(of: record.id, offset: 0, limit: 10_000).map(\.state)
    }
    return states
  }

  static func bytes(_ number: Int, _ count: Int = 100) -> [UInt8] {
    var random = SeededGenerator(seed: UInt64(number))
    return random.bytes(count)
  }
}
