import LibraryAPI
import Manifests
import Models
import Persistence
import SystemCalls
import Threading

/// Writes the lists of a source into the store as records, each with a folder of its own.
actor StoreImport: ImportTarget {
  enum Event: Sendable {
    /// The number of entries read so far.
    case entries(Int)
    case problem(String)
  }

  private let maker: any RecordMaker
  private let source: SourceID
  private let isLazy: Bool
  private let naming: NameTemplate?
  /// Whether the entries with signed URLs are kept in memory, to be compared with those of an earlier reading.
  private let keepsSigned: Bool
  private let layout: LibraryLayout
  private let disk: BlockingQueue
  /// The prefix of the URLs of a series' slices; nil if the source is not a URL.
  private let listing: String?
  private let emit: @Sendable (Event) async -> Void
  /// The list being read; the place of its record is the index in `records`.
  private var list = CurrentList()
  /// The task that stores the previous entries while the next ones are read and prepared.
  private var insertion: Task<ResourceID, any Error>?
  /// The records made so far, with the counts that they will have when the source is complete.
  private(set) var records: [Record] = []
  private(set) var entryCount = 0
  private(set) var lastResource = ResourceID(0)
  private(set) var isSeries = false
  private(set) var problems: [String] = []
  private(set) var problemCount = 0
  /// The entries with signed URLs.
  private(set) var signed: [SignedEntry] = []
  /// The single resource of the source, if the source itself is one and its bytes are already spooled.
  private(set) var adopted: Adopted?

  struct Adopted: Sendable {
    let record: RecordID
    /// The path of the spooled bytes.
    let path: String
    let file: StoredFile
  }

  /// An entry whose URL is signed.
  struct SignedEntry: Sendable {
    let url: String
    let unsigned: UnsignedURL
    let fields: HTTPFields
  }

  init(
    maker: any RecordMaker, layout: LibraryLayout, source: SourceID, request: SourceRequest,
    disk: BlockingQueue, keepsSigned: Bool = false,
    emit: @escaping @Sendable (Event) async -> Void
  ) {
    self.maker = maker
    self.source = source
    isLazy = request.isLazy
    naming = request.naming
    self.layout = layout
    self.disk = disk
    self.keepsSigned = keepsSigned
    if case .url(let url) = request.location {
      listing = SeriesAddress(url).listing.description + "/"
    } else {
      listing = nil
    }
    self.emit = emit
  }

  /// Begins a list, or continues the one with the same key. A record is made with the first entry, so a list
  /// without entries leaves nothing behind.
  func beginList(title: String, key: String?) {
    list.begin(title: title, key: key)
  }

  func append(_ entries: [ManifestEntry]) async throws {
    if let listing, entries.first?.address.hasPrefix(listing) ?? false { isSeries = true }
    try await append(drafts(of: entries))
    if keepsSigned {
      signed += entries.compactMap { entry in
        UnsignedURL(entry.address).map {
          SignedEntry(url: entry.address, unsigned: $0, fields: entry.headers)
        }
      }
    }
    await emit(.entries(entryCount))
  }

  private func drafts(of entries: [ManifestEntry]) -> [ResourceDraft] {
    guard let naming else { return entries.map { ResourceDraft($0) } }
    let first = 1 + (list.record.map { records[$0].counts.queued } ?? 0)
    return entries.enumerated().map { offset, entry in
      var draft = ResourceDraft(entry)
      draft.title = naming.label(
        index: first + offset, title: entry.title, url: entry.url, record: list.title)
      return draft
    }
  }

  private func append(_ drafts: [ResourceDraft]) async throws {
    let place = if let place = list.record { place } else { try await makeRecord() }
    // While the previous entries are being stored, they may need as much room as the reserve, so the check
    // doubles it.
    let reserve = Self.rollbackReserveBytes * (insertion == nil ? 1 : 2)
    try await disk.run { [layout] in try Self.refuseFullDisk(layout, reserve) }
    try await waitForInsertion()
    let record = records[place].id
    insertion = Task { [maker] in
      try await maker.insertResources(drafts, into: record)
    }
    records[place].counts.queued += drafts.count
    entryCount += drafts.count
  }

  /// Makes the record of the current list. The previous entries belong to another record, so their insertion may
  /// still be running.
  /// - Returns: The index of the record in `records`.
  private func makeRecord() async throws -> Int {
    let record = try await maker.makeRecord(
      RecordDraft(source: source, title: list.title, folder: "", isLazy: isLazy), at: .end)
    let place = records.count
    records.append(record)
    list.made(at: place)
    return place
  }

  /// Throws when the disk is nearly full, so that there is still room to undo the import.
  private static func refuseFullDisk(_ layout: LibraryLayout, _ reserve: Int64) throws {
    guard try layout.folder.root().freeBytes() < reserve else { return }
    throw LibraryError(.diskFull, "\(layout.root): the disk is full")
  }

  private static let rollbackReserveBytes: Int64 = 1 << 20

  /// Waits until all entries so far are stored. Before that the source must be neither completed nor
  /// discarded.
  /// - Throws: The error that kept the last entries from being stored; later calls do not throw it again.
  func waitForInsertion() async throws {
    guard let insertion else { return }
    self.insertion = nil
    lastResource = try await withTaskCancellationHandler {
      try await insertion.value
    } onCancel: {
      insertion.cancel()
    }
  }

  /// Waits for the last entries and returns the error that kept them from being stored; nil if they were
  /// stored or the import was cancelled.
  var failure: StoreError? {
    get async {
      do {
        try await waitForInsertion()
        return nil
      } catch {
        return error as? StoreError
      }
    }
  }

  func report(problems new: [String], count: Int) async {
    problemCount += count
    for problem in new.prefix(AddResult.problemLimit - problems.count) {
      problems.append(problem)
      await emit(.problem(problem))
    }
  }

  func adoptAsResource(_ source: SpooledSource, title: String) async throws {
    beginList(title: title, key: nil)
    let url =
      source.url?.description ?? source.digest.map { "stdin:\($0)" }
      ?? ResourceLocation.fileURL(path: source.path)
    try await append([ResourceDraft(url: url)])
    // The import may be cancelled until the entry is stored, and then the spool must be at its old path.
    try await waitForInsertion()
    guard source.isTemporary, let digest = source.digest, let record = records.last else { return }
    let path = source.path + ".whole"
    try await disk.run {
      // A spool is readable by its owner only; the permissions change because the spool becomes an
      // original.
      do throws(SystemError) {
        try FileSystem.open(source.path, followingLinks: false).setMode(
          LibraryLayout.original & ~Machine.fileCreationMask)
      } catch {
        // A file system without permissions refuses every mode.
        guard error.isNotPermitted || error.isNotSupported else { throw error }
      }
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
