import Manifests
import Models
import Persistence
import SystemCalls

/// Writes the records of a source into the store, with folders of their own.
actor StoreImport: ImportTarget {
  private let store: any LibraryStore
  private let source: SourceID
  private let onProgress: @Sendable (Int) -> Void
  private var title = ""
  private var current: RecordID?
  private(set) var records: [RecordID] = []
  private(set) var entryCount = 0
  private(set) var problems: [String] = []
  private(set) var problemCount = 0
  /// The whole source as one resource whose bytes are there already, if it was that.
  private(set) var adopted: (resource: Resource, file: StoredFile, head: [UInt8])?
  private let layout: LibraryLayout

  init(
    store: any LibraryStore, source: SourceID, layout: LibraryLayout,
    onProgress: @escaping @Sendable (Int) -> Void
  ) {
    self.store = store
    self.layout = layout
    self.source = source
    self.onProgress = onProgress
  }

  /// The record is made with its first entry: a list without one leaves nothing behind.
  func begin(title: String) {
    self.title = title
    current = nil
  }

  func append(_ entries: [ManifestEntry]) async throws {
    let record = try await currentRecord()
    let drafts = entries.map {
      ResourceDraft(
        url: $0.url.description, title: $0.title, expectedDigest: $0.sha256, fields: $0.headers)
    }
    try await store.appendResources(drafts, to: record)
    entryCount += entries.count
    onProgress(entryCount)
  }

  func note(problem: String) {
    problemCount += 1
    if problems.count < AddResult.problemLimit { problems.append(problem) }
  }

  func adopt(_ source: SpooledSource, title: String) async throws {
    begin(title: title)
    let record = try await currentRecord()
    let url =
      source.url?.description ?? source.digest.map { "stdin:\($0)" } ?? LocalFile.url(source.path)
    try await store.appendResources([ResourceDraft(url: url)], to: record)
    entryCount += 1
    guard source.isTemporary, let digest = source.digest,
      let resource = try await store.resources(of: record, offset: 0, limit: 1).first
    else { return }
    try FileSystem.rename(source.path, to: layout.partial(of: resource.id))
    let file = StoredFile(
      name: "", byteCount: source.byteCount, digest: digest,
      format: ResourceFormat(sniffing: source.head), validator: Validator(source.fields),
      mediaType: source.fields["Content-Type"], timings: source.timings)
    adopted = (resource, file, source.head)
  }

  private func currentRecord() async throws -> RecordID {
    if let current { return current }
    let record = try await createRecord()
    current = record
    records.append(record)
    return record
  }

  /// `name (2)`; a long name is shortened, so that the number stays.
  private static func numbered(_ base: String, _ number: Int) -> String {
    var base = base
    while base.utf8.count > 180 { base.removeLast() }
    return SafeName.folder("\(base) (\(number))")
  }

  private func createRecord() async throws -> RecordID {
    let base = SafeName.folder(title)
    for number in 1... {
      let folder = number == 1 ? base : Self.numbered(base, number)
      do throws(StoreError) {
        return try await store.appendRecord(
          RecordDraft(source: source, title: title, folder: folder))
      } catch {
        guard error.code == .folderTaken else { throw error }
      }
    }
    throw EngineError(.io, "no free folder name for \(title)")
  }
}
