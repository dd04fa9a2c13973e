import Manifests
import Models
import Persistence
import SystemCalls

/// Writes the records of a source into the store, with folders of their own.
actor StoreImport: ImportTarget {
  enum News: Sendable {
    /// So many so far.
    case entries(Int)
    case problem(String)
  }

  private let store: any LibraryStore
  private let source: SourceID
  private let layout: LibraryLayout
  private let disk: BlockingQueue
  private let tell: @Sendable (News) async -> Void
  private var title = ""
  private var isOpen = false
  /// With the counts that they will have when the source is complete.
  private(set) var records: [Record] = []
  private(set) var entryCount = 0
  private(set) var problems: [String] = []
  private(set) var problemCount = 0
  /// The whole source is one resource and its bytes are there already.
  private(set) var adopted: Adopted?

  struct Adopted: Sendable {
    let record: RecordID
    /// Where the bytes are.
    let path: String
    let file: StoredFile
  }

  init(
    store: any LibraryStore, source: SourceID, layout: LibraryLayout, disk: BlockingQueue,
    tell: @escaping @Sendable (News) async -> Void
  ) {
    self.store = store
    self.source = source
    self.layout = layout
    self.disk = disk
    self.tell = tell
  }

  /// The record is made with its first entry: a list without one leaves nothing behind.
  func begin(title: String) {
    self.title = title
    isOpen = false
  }

  func append(_ entries: [ManifestEntry]) async throws {
    try await append(
      entries.map {
        ResourceDraft(
          url: $0.url.description, title: $0.title, expectedDigest: $0.sha256, fields: $0.headers)
      })
    await tell(.entries(entryCount))
  }

  private func append(_ drafts: [ResourceDraft]) async throws {
    if !isOpen {
      records.append(try await makeRecord())
      isOpen = true
    }
    let last = records.count - 1
    try await store.appendResources(drafts, to: records[last].id)
    records[last].counts.queued += drafts.count
    entryCount += drafts.count
  }

  func note(problem: String) async {
    problemCount += 1
    guard problems.count < AddResult.problemLimit else { return }
    problems.append(problem)
    await tell(.problem(problem))
  }

  func adopt(_ source: SpooledSource, title: String) async throws {
    begin(title: title)
    let url =
      source.url?.description ?? source.digest.map { "stdin:\($0)" } ?? LocalFile.url(source.path)
    try await append([ResourceDraft(url: url)])
    guard source.isTemporary, let digest = source.digest, let record = records.last else { return }
    let path = source.path + ".whole"
    try await disk.run { try FileSystem.rename(source.path, to: path) }
    let file = StoredFile(
      name: "", byteCount: source.byteCount, digest: digest,
      format: ResourceFormat(sniffing: source.head), validator: Validator(source.fields),
      mediaType: source.fields["Content-Type"], timings: source.timings)
    adopted = Adopted(record: record.id, path: path, file: file)
  }

  private func makeRecord() async throws -> Record {
    let base = SafeName.folder(title)
    for number in 1... {
      let folder = number == 1 ? base : Self.numbered(base, number)
      // What lies there already is not ours, and our files are not to be mixed with it.
      let path = "\(layout.root)/\(folder)"
      if try await disk.run({ FileSystem.exists(path) }) { continue }
      do throws(StoreError) {
        let id = try await store.appendRecord(
          RecordDraft(source: source, title: title, folder: folder))
        return Record(id: id, source: source, title: title, folder: folder)
      } catch {
        guard error.code == .folderTaken else { throw error }
      }
    }
    throw EngineError(.io, "no free folder name for \(title)")
  }

  /// `name (2)`; a long name is shortened, so that the number stays.
  private static func numbered(_ base: String, _ number: Int) -> String {
    var base = base
    while base.utf8.count > 180 { base.removeLast() }
    return SafeName.folder("\(base) (\(number))")
  }
}
