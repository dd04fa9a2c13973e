import Hashing
import LibraryAPI
import Models
import Persistence
import PersistenceMemory
import SystemCalls
import Testing
import TestSupport
import Threading
@testable import Engine

@Suite(.timeLimit(.minutes(60))) struct CommitterTests {
  private let folder: TemporaryFolder
  private let layout: LibraryLayout

  init() throws {
    folder = try TemporaryFolder()
    layout = LibraryLayout(root: folder.path)
    try FileSystem.makeFolders(layout.incoming)
  }

  /// A store with one record of so many resources.
  private func library(
    _ count: Int,
    judge: @escaping @Sendable (String, [ResourceChange], Int) -> RecordingStore.Verdict = {
      _, _, _ in .pass
    }
  ) async throws -> (store: RecordingStore, record: Record, resources: [Resource]) {
    let memory = MemoryStore()
    let source = try memory.beginSource(SourceDraft(key: "k", location: "l"))
    let id = try memory.appendRecord(
      RecordDraft(source: source, title: "birds", folder: "birds"), at: .end)
    _ = try memory.insertResources(
      (0..<count).map { ResourceDraft(url: "http://h/\($0).png") }, into: id, at: .end)
    try memory.completeSource(source)
    let record = try #require(try memory.record(id))
    let resources = try memory.resources(of: id, offset: 0, limit: count)
    return (RecordingStore(LibraryDisk(memory), judge: judge), record, resources)
  }

  /// All steps of a batch, as the engine takes them.
  /// - Parameter rows: of each part.
  private func commit(
    in store: RecordingStore, durability: Settings.Durability = .full, rows: Int = 256,
    _ work: [CommitWork]
  ) async throws -> [CommitWork.Arrival] {
    let committer = Committer(
      layout: layout, disk: BlockingQueue("test"), sync: LibrarySync(layout, durability))
    var batch = Committer.Batch(work)
    for part in parts(of: work.count, rows) {
      try committer.lookUp(part, of: &batch, in: store)
    }
    try await committer.makeRoom(for: batch)
    for part in parts(of: work.count, rows) {
      try committer.writeStoredRows(part, of: batch, in: store)
    }
    try store.commitGroup()
    try await committer.placeFiles(&batch)
    if batch.hasLongNames, let limit = LibraryProbe(layout: layout).longestName(upTo: 400) {
      let changed = batch.shortenNames(to: limit)
      try committer.rewriteStoredRows(changed, of: batch, in: store)
      try store.commitGroup()
      try await committer.placeFiles(&batch)
    }
    try await committer.removeRefused(batch)
    let ending = batch.workWithFinalRows
    var lost: [CommitWork.Arrival] = []
    for part in parts(of: ending.count, rows) {
      lost += try committer.writeFinalRows(ending[part], of: batch, in: store)
    }
    try store.commitGroup()
    if committer.mustSyncRows(of: batch) { try await store.sync() }
    return lost
  }

  private func parts(of count: Int, _ rows: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: rows).map { $0..<min(count, $0 + rows) }
  }

  /// Each asks for something else.
  private func request(_ resource: Resource) -> RequestKey {
    RequestKey(high: 7, low: UInt64(resource.id.rawValue))
  }

  private func partial(_ resource: Resource) -> String { layout.partial(of: request(resource)) }

  /// A whole partial file on its way.
  private func arrival(
    _ resource: Resource, _ record: Record, _ text: String? = nil, name: String? = nil
  ) throws -> CommitWork {
    let bytes = Array((text ?? "content of \(resource.id)").utf8)
    try FileSystem.replace(partial(resource), with: bytes.span.bytes)
    let file = StoredFile(
      name: name ?? "\(resource.index).png", byteCount: Int64(bytes.count),
      digest: SHA256Hasher.hash(of: bytes), format: .png)
    return .arrival(
      CommitWork.Arrival(
        resource: resource, file: file, record: record, origin: .partial(request(resource)),
        followUp: .fetched(resource.id)))
  }

  private func original(_ index: Int) -> String { "\(folder.path)/birds/\(index).png" }

  @Test("A reload whose twin is gone leaves no file that no row knows")
  func lostTwinOfReload() async throws {
    let (store, record, resources) = try await library(2)
    _ = try await commit(in: store, [try arrival(resources[0], record)])
    _ = try store.perform(.reload, on: record.id)
    let again = try #require(try store.resource(resources[0].id))
    #expect(again.file?.name == "1.png" && FileSystem.exists(original(1)))
    let file = StoredFile(
      name: "1.png", byteCount: 3, digest: SHA256Hasher.hash(of: [1, 2, 3]), format: .png)
    let held = ExistingFile(
      resource: resources[1].id, record: record.id, folder: record.folder, file: file)
    let lost = try await commit(
      in: store,
      [
        .arrival(
          CommitWork.Arrival(
            resource: again, file: file, record: record, origin: .existing(held),
            followUp: .fetched(again.id)))
      ])
    #expect(lost.map(\.resource.id) == [again.id])
    let row = try store.resource(again.id)
    #expect(row?.state == .queued && row?.file == nil)
    #expect(!FileSystem.exists(original(1)))
  }

  @Test("The row says stored, then the file moves, then the row says fetched, durably")
  func order() async throws {
    let folder = folder.path
    let (store, record, resources) = try await library(1) { _, changes, _ in
      // The judge runs before the call has its effect.
      let isInPlace = FileSystem.exists("\(folder)/birds/1.png")
      switch changes.last {
      case .stored: return isInPlace ? .fail(StoreError(.internal, "moved too early")) : .pass
      case .fetched: return isInPlace ? .pass : .fail(StoreError(.internal, "not moved"))
      default: return .pass
      }
    }
    _ = try await commit(in: store, [try arrival(resources[0], record)])
    let applied = store.log.applied
    #expect(applied.count == 2)
    #expect(applied.first?.changes.first == .partialDeleted(request(resources[0])))
    guard case .stored(_, let file)? = applied.first?.changes.last else {
      return #expect(Bool(false))
    }
    #expect(file.name == "1.png")
    #expect(applied.last?.changes == [.fetched(resources[0].id)])
    #expect(applied.map(\.isSynced) == [false, true])
    #expect(!FileSystem.exists(partial(resources[0])))
  }

  @Test("A relaxed library waits for no disk")
  func relaxed() async throws {
    let (store, record, resources) = try await library(1)
    _ = try await commit(in: store, durability: .relaxed, [try arrival(resources[0], record)])
    #expect(store.log.applied.map(\.isSynced) == [false, false])
    #expect(FileSystem.exists(original(1)))
  }

  @Test("A batch is two transactions, however many files are in it")
  func batch() async throws {
    let (store, record, resources) = try await library(50)
    _ = try await commit(in: store, try resources.map { try arrival($0, record) })
    #expect(store.log.applied.map(\.changes.count) == [100, 50])
    #expect(try FileSystem.list("\(folder.path)/birds").count == 50)
  }

  @Test("A batch in parts moves its files at once, and its last commit waits for the disk")
  func parts() async throws {
    let folder = folder.path
    let (store, record, resources) = try await library(50) { _, changes, _ in
      let moved = (try? FileSystem.list("\(folder)/birds").count) ?? 0
      switch changes.last {
      case .stored: return moved == 0 ? .pass : .fail(StoreError(.internal, "moved too early"))
      case .fetched: return moved == 50 ? .pass : .fail(StoreError(.internal, "not moved"))
      default: return .pass
      }
    }
    _ = try await commit(in: store, rows: 20, try resources.map { try arrival($0, record) })
    #expect(store.log.applied.map(\.changes.count) == [40, 40, 20, 20, 20, 10])
    #expect(store.log.commits == [.commitGroup, .commitGroup, .sync])
    #expect(try store.record(record.id)?.counts.fetched == 50)
  }

  @Test("The same content in two parts of a batch is one file")
  func twinsInParts() async throws {
    let (store, record, resources) = try await library(3)
    _ = try await commit(
      in: store, rows: 1, try resources.map { try arrival($0, record, "the same") })
    let inodes = try (1...3).map { try FileSystem.status(original($0)).inode }
    #expect(Set(inodes).count == 1)
  }

  @Test("Pages are said to be there after all else, durably; what failed is not waited for")
  func changesOnly() async throws {
    let (store, _, resources) = try await library(2)
    let page = Page(number: 1, width: 3, height: 2, thumbnail: "ab/abc-p1-256.jpg")
    let finished = ResourceChange.finished(resources[0].id, pages: [page], reason: nil)
    _ = try await commit(
      in: store,
      [
        .pages(resources[0], finished), .failed(resources[1], reason: "HTTP 404 Not Found"),
      ])
    #expect(store.log.applied.map(\.isSynced) == [false, true])
    #expect(store.log.applied.last?.changes == [finished])
    #expect(try store.resource(resources[1].id)?.reason == "HTTP 404 Not Found")
  }

  @Test("A failure is durable before it is announced, also in a batch without files")
  func failureOnly() async throws {
    let (store, _, resources) = try await library(2)
    _ = try await commit(in: store, [.failed(resources[0], reason: "HTTP 404 Not Found")])
    #expect(store.log.applied.map(\.isSynced) == [true])
  }

  @Test("What a partial file was comes before what it became")
  func partialBeforeStored() async throws {
    let (store, record, resources) = try await library(1)
    let partial = PartialDownload(
      validator: Validator(), totalBytes: nil, bootID: "b", syncedBytes: 0)
    _ = try await commit(
      in: store,
      [
        .partial(request(resources[0]), partial), try arrival(resources[0], record),
      ])
    #expect(try store.partial(of: request(resources[0])) == nil)
  }

  @Test("A partial file of which nothing can come goes when its row has, the others stay")
  func litter() async throws {
    let (store, _, resources) = try await library(2)
    for resource in resources { try FileSystem.replace(partial(resource), with: "x") }
    let known = PartialDownload(
      validator: Validator(entityTag: EntityTag("\"a\"")), totalBytes: 9, bootID: "b",
      syncedBytes: 0)
    _ = try await commit(
      in: store,
      [
        .partial(request(resources[0]), known), .discardPartial(request(resources[0])),
        .partial(request(resources[1]), known),
      ])
    #expect(!FileSystem.exists(partial(resources[0])))
    #expect(FileSystem.exists(partial(resources[1])))
    #expect(try store.partials() == [request(resources[1])])
  }

  @Test("To forget a partial file is durable: other bytes come after it")
  func partialGone() async throws {
    let (store, _, resources) = try await library(1)
    _ = try await commit(in: store, [.partialDeleted(request(resources[0]))])
    #expect(store.log.applied.map(\.isSynced) == [true])
  }

  @Test("When the first row cannot be written nothing has moved")
  func storeFails() async throws {
    let (store, record, resources) = try await library(1) { _, _, _ in
      .fail(StoreError(.diskFull, "full"))
    }
    let work = try arrival(resources[0], record)
    await #expect(throws: StoreError(.diskFull, "full")) {
      _ = try await commit(in: store, [work])
    }
    #expect(FileSystem.exists(partial(resources[0])))
    #expect(!FileSystem.exists(original(1)))
  }

  @Test("When no file can be moved the rows stay stored")
  func moveFails() async throws {
    let (store, record, resources) = try await library(2)
    let work = try resources.map { try arrival($0, record) }
    // Nothing can be created any more where the partial files are.
    try FileSystem.removeTree(layout.incoming)
    try FileSystem.replace(layout.incoming, with: "in the way")
    await #expect(throws: SystemError.self) { _ = try await commit(in: store, work) }
    for resource in resources { #expect(try store.resource(resource.id)?.state == .stored) }
  }

  @Test("A name that is taken fails its resource alone, and a reload keeps its earlier file")
  func refusedName() async throws {
    let (store, record, resources) = try await library(3)
    _ = try await commit(in: store, [try arrival(resources[2], record, "old")])
    _ = try store.perform(.reload, on: record.id)
    try FileSystem.makeFolders(original(1) + "/mine")
    try FileSystem.makeFolders(original(4) + "/mine")
    let again = try #require(try store.resource(resources[2].id))
    let work = [
      try arrival(resources[0], record), try arrival(resources[1], record),
      try arrival(again, record, "new", name: "4.png"),
    ]
    // The old file has another name, so that it goes before the new one comes.
    _ = try await commit(in: store, work)
    let rows = try store.resources(of: record.id, offset: 0, limit: 9)
    #expect(rows.map(\.state) == [.failed, .fetched, .failed])
    #expect(rows[0].reason?.hasPrefix("its file cannot be stored: cannot rename ") == true)
    #expect(FileSystem.exists(original(1) + "/mine") && FileSystem.exists(original(2)))
    #expect(try FileSystem.list(layout.incoming).isEmpty)
  }

  @Test("A name that is too long is shortened, first in its row")
  func longName() async throws {
    let (store, record, resources) = try await library(2)
    let long = "0001-" + String(repeating: "n", count: 300) + ".png"
    _ = try await commit(
      in: store, [try arrival(resources[0], record, name: long), try arrival(resources[1], record)])
    let row = try #require(try store.resource(resources[0].id))
    let name = try #require(row.file?.name)
    #expect(row.state == .fetched && name.hasPrefix("0001-nnn") && name.hasSuffix("n.png"))
    #expect(FileSystem.exists("\(folder.path)/birds/\(name)"))
    #expect(store.log.applied[1].changes.first.map { "\($0)".contains(name) } == true)
    #expect(try FileSystem.list(layout.incoming).isEmpty)
  }

  @Test("The queue gives batches in order and counts what is on its way")
  func queue() throws {
    var queue = CommitQueue()
    let resources = (1...1_000).map {
      Resource(
        id: ResourceID($0), record: RecordID($0 % 2), index: 1, url: "")
    }
    for resource in resources { queue.enqueue(.answered(resource, failure: nil)) }
    let first = queue.dequeueBatch(now: 0)
    #expect(first.map(\.resource?.id) == resources.prefix(CommitQueue.batchSize).map(\.id))
    #expect(queue.count == 1_000)
    queue.recordCompletion(of: 100)
    #expect(queue.count == 900)
    queue.finishBatch()
    #expect(queue.count == 1_000 - CommitQueue.batchSize)
    let gone = queue.dropWork(RecordID(1))
    #expect(gone.count == (1_000 - CommitQueue.batchSize) / 2)
    var left: [ResourceID] = []
    while !queue.isEmpty {
      left += queue.dequeueBatch(now: 0).compactMap(\.resource?.id)
      queue.finishBatch()
    }
    #expect(
      left
        == resources.dropFirst(CommitQueue.batchSize).filter { $0.record == RecordID(0) }.map(\.id))
    #expect(queue.count == 0 && queue.addedCount == 1_000 && queue.completedCount == 1_000)
  }
}
