import LibraryAPI
import Manifests
import Models
import Persistence
import SystemCalls
import Threading

/// Writes the records of a source into the store, with folders of their own.
actor StoreImport: ImportTarget {
  enum News: Sendable {
    /// So many so far.
    case entries(Int)
    case problem(String)
  }

  private let engine: Engine
  private let source: SourceID
  private let isLazy: Bool
  private let naming: NameTemplate?
  private let layout: LibraryLayout
  private let disk: BlockingQueue
  /// What the URLs of slices begin with, if this is a series.
  private let listing: String?
  private let tell: @Sendable (News) async -> Void
  private var title = ""
  private var isOpen = false
  /// Stores the entries of before, while the next ones are read and made ready.
  private var insertion: Task<ResourceID, any Error>?
  /// With the counts that they will have when the source is complete.
  private(set) var records: [Record] = []
  private(set) var entryCount = 0
  private(set) var lastResource = ResourceID(0)
  private(set) var isSeries = false
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
    engine: Engine, source: SourceID, request: SourceRequest, disk: BlockingQueue,
    tell: @escaping @Sendable (News) async -> Void
  ) {
    self.engine = engine
    self.source = source
    isLazy = request.isLazy
    naming = request.naming
    layout = engine.layout
    self.disk = disk
    if case .url(let url) = request.location {
      listing = SeriesAddress(url).listing.description + "/"
    } else {
      listing = nil
    }
    self.tell = tell
  }

  /// The record is made with its first entry: a list without one leaves nothing behind.
  func begin(title: String) {
    self.title = title
    isOpen = false
  }

  func append(_ entries: [ManifestEntry]) async throws {
    if let listing, entries.first?.address.hasPrefix(listing) ?? false { isSeries = true }
    try await append(drafts(of: entries))
    await tell(.entries(entryCount))
  }

  private func drafts(of entries: [ManifestEntry]) -> [ResourceDraft] {
    guard let naming else { return entries.map { ResourceDraft($0) } }
    let first = 1 + (isOpen ? records.last?.counts.queued ?? 0 : 0)
    return entries.enumerated().map { offset, entry in
      var draft = ResourceDraft(entry)
      draft.title = naming.label(
        index: first + offset, title: entry.title, url: entry.url, record: title)
      return draft
    }
  }

  private func append(_ drafts: [ResourceDraft]) async throws {
    // The store makes it right behind the entries of before.
    if !isOpen {
      records.append(
        try await engine.makeRecord(
          RecordDraft(source: source, title: title, folder: "", isLazy: isLazy)))
      isOpen = true
    }
    try await settle()
    try await disk.run { [layout] in try Self.refuseFullDisk(layout) }
    let last = records.count - 1
    let record = records[last].id
    insertion = Task { [engine] in
      try await engine.insertResources(drafts, into: record)
    }
    records[last].counts.queued += drafts.count
    entryCount += drafts.count
  }

  /// An import ends while there is still room to undo it.
  private static func refuseFullDisk(_ layout: LibraryLayout) throws {
    guard try layout.folder.root().freeBytes() < roomToUndo else { return }
    throw LibraryError(.diskFull, "\(layout.root): the disk is full")
  }

  private static let roomToUndo: Int64 = 1 << 20

  /// Returns when everything that came is in the store. Until then the source is neither complete nor
  /// can it be discarded.
  /// - Throws: what kept the last entries from being stored, once.
  func settle() async throws {
    guard let insertion else { return }
    self.insertion = nil
    lastResource = try await withTaskCancellationHandler {
      try await insertion.value
    } onCancel: {
      insertion.cancel()
    }
  }

  /// Why the last entries could not be stored, once they are neither stored nor on their way; nil if they
  /// were, or if nobody wants them any more.
  var failure: StoreError? {
    get async {
      do {
        try await settle()
        return nil
      } catch {
        return error as? StoreError
      }
    }
  }

  func note(problems new: [String], count: Int) async {
    problemCount += count
    for problem in new.prefix(AddResult.problemLimit - problems.count) {
      problems.append(problem)
      await tell(.problem(problem))
    }
  }

  func adopt(_ source: SpooledSource, title: String) async throws {
    begin(title: title)
    let url =
      source.url?.description ?? source.digest.map { "stdin:\($0)" } ?? LocalFile.url(source.path)
    try await append([ResourceDraft(url: url)])
    // Who gives up before has the bytes where they were.
    try await settle()
    guard source.isTemporary, let digest = source.digest, let record = records.last else { return }
    let path = source.path + ".whole"
    try await disk.run {
      // A spool is for its owner alone; it becomes one of the user's files.
      try FileSystem.open(source.path, followingLinks: false).setMode(
        LibraryLayout.original & ~Machine.fileCreationMask)
      let folder = ConfinedFolder(FileSystem.parentFolder(of: path), followingLinks: false)
      try folder.rename(source.path, to: path)
    }
    let file = StoredFile(
      name: "", byteCount: source.byteCount, digest: digest,
      format: source.format, validator: source.validator,
      mediaType: source.fields["Content-Type"], timings: source.timings)
    adopted = Adopted(record: record.id, path: path, file: file)
  }
}
