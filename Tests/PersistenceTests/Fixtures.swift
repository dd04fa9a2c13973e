import Foundation
import Models
import Persistence
import Threading

/// A folder that goes away with its owner.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("imgdl-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A seeded source of randomness: the same numbers in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}

func makeDigest(_ seed: UInt8) -> Digest {
  let word = UInt64(seed) &* 0x0101_0101_0101_0101
  return Digest(words: (word, word ^ 1, word ^ 2, word ^ 3))
}

func makeDrafts(_ count: Int, host: String = "example.com") -> [ResourceDraft] {
  (0..<count).map { ResourceDraft(url: "https://\(host)/\($0 + 1).jpg") }
}

func makeFile(
  _ seed: UInt8 = 1, bytes: Int64 = 100, answer: StoredFile.Answer? = nil
) -> StoredFile {
  StoredFile(
    name: "\(seed).jpg", byteCount: bytes, digest: makeDigest(seed), format: .jpeg, answer: answer)
}

/// Requests that share their first half: half a key is never enough.
func makeRequest(_ seed: UInt64) -> RequestKey { RequestKey(high: .max, low: seed) }

func makeAnswer(
  _ seed: UInt64, asOf: ResourceID = ResourceID(1), freshUntil: Int64? = nil
) -> StoredFile.Answer {
  StoredFile.Answer(request: makeRequest(seed), asOf: asOf, freshUntil: freshUntil)
}

let anyPartial = PartialDownload(
  validator: Validator(entityTag: EntityTag("\"a\""), lastModified: "yesterday"),
  totalBytes: 1_000, bootID: "boot", syncedBytes: 10)

func makeState(concurrency: Int) -> LibraryState {
  var state = LibraryState()
  state.concurrency = concurrency
  return state
}

func makePages(_ count: Int) -> [Page] {
  (0..<count).map {
    Page(number: $0 + 1, width: 640, height: 480 + $0, thumbnail: "ab/cd-p\($0 + 1)-256.jpg")
  }
}

extension LibraryRows {
  func resources(
    in state: ResourceState, after: ResourceID?, limit: Int
  ) throws(StoreError) -> [Resource] {
    try resources(in: state, of: nil, after: after, limit: limit)
  }
}

extension LibraryStore {
  func appendRecord(_ draft: RecordDraft) throws(StoreError) -> RecordID {
    try appendRecord(draft, at: .end)
  }

  func appendResources(_ drafts: [ResourceDraft], to record: RecordID) throws(StoreError) {
    _ = try insertResources(drafts, into: record, at: .end)
  }

  /// A complete source with one record of `count` resources.
  func addRecord(
    _ title: String = "record", resources count: Int, key: String = "key"
  ) throws(StoreError) -> (record: RecordID, resources: [ResourceID]) {
    let source = try beginSource(SourceDraft(key: key, location: key))
    let record = try appendRecord(RecordDraft(source: source, title: title, folder: title))
    try appendResources(makeDrafts(count, host: title), to: record)
    try completeSource(source)
    return (record, try resources(of: record, offset: 0, limit: count).map(\.id))
  }

  func closeWithReader() async {
    await reader.close()
    close()
  }
}

/// Has a store on a thread that may wait, as an engine has.
actor StoreOwner {
  private let executor = BlockingExecutor("test.owner")
  private let store: any LibraryStore

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ store: sending any LibraryStore) { self.store = store }

  func run<Value: Sendable>(
    _ body: @Sendable (any LibraryStore) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try body(store)
  }

  func close() async { await store.closeWithReader() }
}

/// The code of the error that a call throws; nil if it throws none.
func errorCode(_ call: () throws -> Void) throws -> StoreError.Code? {
  do {
    try call()
    return nil
  } catch let error as StoreError {
    return error.code
  }
}

/// The code of the error with which an opening ends; nil if it ends without one.
func errorCode(opening: () async throws -> Void) async throws -> StoreError.Code? {
  do {
    try await opening()
    return nil
  } catch let error as StoreError {
    return error.code
  }
}
