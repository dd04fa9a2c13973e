package import Models
package import Persistence

package func makeDigest(_ seed: UInt8) -> Digest {
  let word = UInt64(seed) &* 0x0101_0101_0101_0101
  return Digest(words: (word, word ^ 1, word ^ 2, word ^ 3))
}

package func makeDrafts(_ count: Int, host: String = "example.com") -> [ResourceDraft] {
  (0..<count).map { ResourceDraft(url: "https://\(host)/\($0 + 1).jpg") }
}

package func makeFile(
  _ seed: UInt8 = 1, bytes: Int64 = 100, answer: StoredFile.Answer? = nil
) -> StoredFile {
  StoredFile(
    name: "\(seed).jpg", byteCount: bytes, digest: makeDigest(seed), format: .jpeg, answer: answer)
}

/// Requests that share their first half: half a key is never enough.
package func makeRequest(_ seed: UInt64) -> RequestKey { RequestKey(high: .max, low: seed) }

package func makeAnswer(
  _ seed: UInt64, asOf: ResourceID = ResourceID(1), freshUntil: Int64? = nil
) -> StoredFile.Answer {
  StoredFile.Answer(request: makeRequest(seed), asOf: asOf, freshUntil: freshUntil)
}

package let anyPartial = PartialDownload(
  validator: Validator(entityTag: EntityTag("\"a\""), lastModified: "yesterday"),
  totalBytes: 1_000, bootID: "boot", syncedBytes: 10, hasGaps: true, url: "http://h/a.png")

package func makeState(concurrency: Int) -> LibraryState {
  var state = LibraryState()
  state.concurrency = concurrency
  return state
}

package func makePages(_ count: Int) -> [Page] {
  (0..<count).map {
    Page(number: $0 + 1, width: 640, height: 480 + $0, thumbnail: "ab/cd-p\($0 + 1)-256.jpg")
  }
}

extension LibraryRows {
  package func resources(
    in state: ResourceState, after: ResourceID?, limit: Int
  ) throws(StoreError) -> [Resource] {
    try resources(in: state, of: nil, after: after, limit: limit)
  }
}

extension LibraryStore {
  package func appendRecord(_ draft: RecordDraft) throws(StoreError) -> RecordID {
    try appendRecord(draft, at: .end)
  }

  package func appendResources(_ drafts: [ResourceDraft], to record: RecordID) throws(StoreError) {
    _ = try insertResources(drafts, into: record, at: .end)
  }

  /// A complete source with one record of `count` resources.
  package func addRecord(
    _ title: String = "record", resources count: Int, key: String = "key"
  ) throws(StoreError) -> (record: RecordID, resources: [ResourceID]) {
    let source = try beginSource(SourceDraft(key: key, location: key))
    let record = try appendRecord(RecordDraft(source: source, title: title, folder: title))
    try appendResources(makeDrafts(count, host: title), to: record)
    try completeSource(source)
    return (record, try resources(of: record, offset: 0, limit: count).map(\.id))
  }

  package func closeWithReader() async {
    await reader.close()
    close()
  }
}

/// The code of the error that a call throws; nil if it throws none.
package func errorCode(_ call: () throws -> Void) throws -> StoreError.Code? {
  do {
    try call()
    return nil
  } catch let error as StoreError {
    return error.code
  }
}

/// The code of the error with which an opening ends; nil if it ends without one.
package func errorCode(opening: () async throws -> Void) async throws -> StoreError.Code? {
  do {
    try await opening()
    return nil
  } catch let error as StoreError {
    return error.code
  }
}
