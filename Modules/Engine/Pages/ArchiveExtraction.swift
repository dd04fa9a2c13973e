import Archive
import LibraryAPI
import Models
import SystemCalls
import Threading

/// Extracts the images of an archive, and of zip files in it, to files with generated names. The images
/// are in the natural order of their entries' names, those of an EPUB in the order of its documents.
struct ArchiveExtraction: Sendable {
  let path: String
  let resource: ResourceID
  let layout: LibraryLayout
  let archive: any ArchiveReader
  let policy: ArchivePolicy
  /// The password of encrypted entries, also in nested archives.
  var password: DocumentPassword?

  struct ExtractedImage: Sendable {
    /// The name of the entry, preceded by the names of the archives that contain it. Only a label, never a
    /// path.
    let label: String
    let format: ResourceFormat
    /// The path of the extracted file.
    let path: String
  }

  struct Output: Sendable {
    var images: [ExtractedImage] = []
    /// The reason why images may be missing, or nil. Those that were extracted are usable.
    var problem: Problem?
    /// A sentence for users about entries that are left out (`ArchiveOmissions`); nil if there are none.
    var remark: String?
    /// Whether an entry needs a password, or the given one is wrong.
    var isEncrypted = false
  }

  struct Problem: Sendable {
    let text: String
    /// Whether the archive is at fault; otherwise it only has entries of a kind that imgdl does not read.
    let isFailure: Bool
  }

  /// The results of all levels of nesting. Confined to the thread that walks the archive.
  private final class Collection {
    var images: [ExtractedImage] = []
    var failures: [ArchiveError] = []
    var omissions = ArchiveOmissions()
    var spine = BookSpine()
  }

  /// Extracts the images. Blocks. If it throws, no extracted file is left behind.
  /// - Throws: `ArchiveError` if no image could be extracted, `SystemError` for an error of the library's
  ///   disk, or `CancellationError`.
  func run(_ isCancelled: CancellationFlag) throws -> Output {
    let collection = Collection()
    do {
      return try run(collection, isCancelled)
    } catch {
      discard(collection.images)
      throw error
    }
  }

  /// Deletes extracted images that are not to become pages. Blocks.
  func discard(_ images: some Sequence<ExtractedImage>) {
    for image in images { try? layout.folder.remove(image.path) }
  }

  private func run(_ collection: Collection, _ isCancelled: CancellationFlag) throws -> Output {
    var output = Output()
    var end: ArchiveError?
    do {
      try open(
        path, label: nil, prefix: "\(layout.incoming)/\(resource)-entry", nesting: policy.nesting,
        ArchiveBudget(policy), collection, isCancelled)
    } catch let error as ArchiveError {
      end = error
    }
    let failures = collection.failures
    output.isEncrypted = failures.contains { $0.code == .encrypted }
    // The error that ended the walk matters more than the errors of single entries, and a failure more than a kind
    // that imgdl does not read.
    let problems = (end.map { [$0] } ?? []) + failures
    if let first = problems.first(where: \.isFailure) ?? problems.first {
      if collection.images.isEmpty { throw first }
      output.problem = Problem(
        text: first.isFailure
          ? Self.failure(first, of: end == nil ? failures.count : 1)
          : Resource.remark(unreadEntries: end == nil ? failures.count : nil, "\(first)"),
        isFailure: first.isFailure)
    }
    output.remark = collection.omissions.sentence
    output.images =
      collection.spine.ordered(collection.images, by: \.label)
      ?? EntryOrder.natural(collection.images, by: \.label)
    return output
  }

  private static func failure(_ error: ArchiveError, of count: Int) -> String {
    count == 1 ? "\(error)" : "\(count) entries cannot be read; \(error)"
  }

  /// - Parameters:
  ///   - label: The label of the nested archive's entry; nil for the outermost archive.
  ///   - nesting: The number of further levels of nested archives that are allowed.
  private func open(
    _ path: String, label: String?, prefix: String, nesting: Int, _ budget: ArchiveBudget,
    _ collection: Collection, _ isCancelled: CancellationFlag
  ) throws {
    let collector = ImageCollector(
      label: label, prefix: prefix, folder: layout.folder, nesting: nesting,
      isCancelled: isCancelled)
    defer {
      collector.abandonEntry()
      for inner in collector.archives { try? layout.folder.remove(inner.path) }
    }
    defer {
      collection.images += collector.images
      collection.failures += collector.failures
      collection.omissions.merge(collector.omissions)
      if label == nil { collection.spine = collector.spine }
    }
    do {
      try GuardedArchiveReader(archive, policy: policy).walk(
        path, password: password, visitor: collector, within: budget)
    } catch {
      if let failure = collector.storageFailure { throw failure }
      throw error
    }
    for inner in collector.archives {
      do {
        try open(
          inner.path, label: inner.label, prefix: inner.path, nesting: nesting - 1, budget,
          collection, isCancelled)
      } catch let error as ArchiveError where error.code != .limit {
        // The error of a nested archive is recorded; only images of that archive are lost.
        collection.failures.append(
          ArchiveError(error.code, error.detail, entryName: error.entryName ?? inner.label))
      }
      // The nested archive is deleted at once, to free disk space for the next one.
      try? layout.folder.remove(inner.path)
    }
  }
}

/// Writes each entry that begins like an image or a zip to a file. Confined to the thread that walks the
/// archive.
private final class ImageCollector: ArchiveVisitor {
  private let parent: String?
  private let prefix: String
  private let folder: ConfinedFolder
  private let nesting: Int
  private let isCancelled: CancellationFlag
  private var label = ""
  private var index = 0
  private var head: [UInt8] = []
  private var file: OwnedDescriptor?
  private var format: ResourceFormat?
  private(set) var images: [ArchiveExtraction.ExtractedImage] = []
  /// Nested zip files, which are opened after the walk.
  private(set) var archives: [ArchiveExtraction.ExtractedImage] = []
  private(set) var failures: [ArchiveError] = []
  private(set) var omissions = ArchiveOmissions()
  private(set) var spine = BookSpine()
  /// The bytes of an entry that may determine the order of a book; nil for every other entry.
  private var text: [UInt8]?
  /// The error of writing a file, or the cancellation, that ended the walk; nil if there was none.
  private(set) var storageFailure: (any Error)?

  init(
    label: String?, prefix: String, folder: ConfinedFolder, nesting: Int,
    isCancelled: CancellationFlag
  ) {
    parent = label
    self.prefix = prefix
    self.folder = folder
    self.nesting = nesting
    self.isCancelled = isCancelled
  }

  func visit(_ entry: ArchiveEntry) throws(ArchiveError) -> EntryDecision {
    guard entry.kind == .file, !EntryName.isClutter(entry.name) else { return .skip }
    label = parent.map { "\($0)/\(entry.name)" } ?? entry.name
    index = entry.index
    head = []
    format = nil
    text = parent == nil && spine.wants(entry.name) ? [] : nil
    return .read
  }

  func receive(_ bytes: RawSpan) throws(ArchiveError) {
    try recordingFailure {
      try isCancelled.check()
      if let count = text?.count {
        if count + bytes.byteCount <= BookSpine.maximumTextBytes {
          bytes.withUnsafeBytes { text?.append(contentsOf: $0) }
        } else {
          text = nil
        }
      }
      if let file { return try file.write(all: bytes) }
      guard format == nil else { return }
      bytes.withUnsafeBytes { head.append(contentsOf: $0) }
      if head.count >= ResourceFormat.sniffLength, !ResourceFormat.hasOpenProlog(head) {
        try begin()
      }
    }
  }

  /// Runs an operation and keeps its error in `storageFailure`, because the walk reports only an
  /// `ArchiveError`.
  private func recordingFailure(_ body: () throws -> Void) throws(ArchiveError) {
    do {
      try body()
    } catch {
      storageFailure = error
      throw ArchiveError(.visitor, "\(error)")
    }
  }

  /// Recognises the format of the entry from its first bytes, and opens a file for an image or a nested
  /// zip.
  private func begin() throws(SystemError) {
    let format = ResourceFormat(sniffing: head)
    self.format = format
    guard format.kind == .image || (format == .zip && nesting > 0) else { return }
    let file = try folder.open("\(prefix)-\(index)", .writing, create: .replacing)
    let beginning = head
    try file.write(all: beginning.span.bytes)
    self.file = file
  }

  /// Records a damaged entry, so that the walk continues with the other entries.
  func failEntry(_ error: ArchiveError) throws(ArchiveError) {
    abandonEntry()
    guard error.code != .limit, error.code != .visitor else { throw error }
    failures.append(error)
  }

  func endEntry() throws(ArchiveError) {
    if let text { spine.add(text, of: label) }
    try recordingFailure { if format == nil, !head.isEmpty { try begin() } }
    guard let file, let format else {
      if format == .zip { failures.append(tooDeep) } else { omissions.add(label, format) }
      return
    }
    file.close()
    self.file = nil
    let image = ArchiveExtraction.ExtractedImage(
      label: label, format: format, path: "\(prefix)-\(index)")
    if format == .zip { archives.append(image) } else { images.append(image) }
  }

  private var tooDeep: ArchiveError {
    ArchiveError(
      .limit, "the archive is nested too deeply (limits.archiveNesting)", entryName: label)
  }

  /// Deletes the file of an entry that was not completed.
  func abandonEntry() {
    guard let file else { return }
    file.close()
    self.file = nil
    try? folder.remove("\(prefix)-\(index)")
  }
}
