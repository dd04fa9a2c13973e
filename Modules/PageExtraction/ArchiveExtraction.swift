package import Archive
package import Models
package import SystemCalls
package import Threading

/// Extracts the images of an archive, and of zip files in it, to files with generated names. The images
/// are in the natural order of their entries' names, those of an EPUB in the order of its documents.
package struct ArchiveExtraction: Sendable {
  private let path: String
  /// The folder below which all files are created.
  private let folder: ConfinedFolder
  /// The beginning of the paths of the extracted files, which no other extraction uses at the same time.
  private let prefix: String
  private let archive: any ArchiveReader
  private let policy: ArchivePolicy
  /// The password of encrypted entries, also in nested archives.
  private let password: DocumentPassword?

  package init(
    path: String, folder: ConfinedFolder, prefix: String, archive: any ArchiveReader,
    policy: ArchivePolicy, password: DocumentPassword?
  ) {
    self.path = path
    self.folder = folder
    self.prefix = prefix
    self.archive = archive
    self.policy = policy
    self.password = password
  }

  package struct ExtractedImage: Sendable {
    /// The name of the entry, preceded by the names of the archives that contain it. Only a label, never a
    /// path.
    package let label: String
    package let format: ResourceFormat
    /// The path of the extracted file.
    package let path: String
  }

  package struct Output: Sendable {
    package var images: [ExtractedImage] = []
    /// The reason why images may be missing, or nil. Those that were extracted are usable.
    package var problem: Problem?
    /// A sentence for users about entries that are left out (`ArchiveOmissions`); nil if there are none.
    package var remark: String?
    /// Whether an entry needs a password, or the given one is wrong.
    package var isEncrypted = false
  }

  package struct Problem: Sendable {
    package let text: String
    /// Whether the archive is at fault; otherwise it only has entries of a kind that imgdl does not read.
    package let isFailure: Bool
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
  package func run(_ isCancelled: CancellationFlag) throws -> Output {
    let collection = Collection()
    do {
      return try run(collection, isCancelled)
    } catch {
      discard(collection.images)
      throw error
    }
  }

  /// Deletes extracted images that are not to become pages. Blocks.
  package func discard(_ images: some Sequence<ExtractedImage>) {
    for image in images { try? folder.remove(image.path) }
  }

  private func run(_ collection: Collection, _ isCancelled: CancellationFlag) throws -> Output {
    var output = Output()
    var end: ArchiveError?
    do {
      try open(
        path, label: nil, prefix: prefix, nesting: policy.nesting,
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
    let encrypted = collection.spine.encryptedNames
    output.remark = collection.omissions.sentence(encrypted: encrypted)
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
      label: label, prefix: prefix, folder: folder, nesting: nesting,
      isCancelled: isCancelled)
    defer {
      collector.abandonEntry()
      for inner in collector.archives { try? folder.remove(inner.path) }
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
      try collector.addLinkedImages(within: budget)
      throw error
    }
    try collector.addLinkedImages(within: budget)
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
      try? folder.remove(inner.path)
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
  /// The links to other entries.
  private var links: [Link] = []
  /// The bytes of an entry that may determine the order of a book; nil for every other entry.
  private var text: [UInt8]?
  /// The error of writing a file, or the cancellation, that ended the walk; nil if there was none.
  private(set) var storageFailure: (any Error)?

  private struct Link {
    let label: String
    let index: Int
    let target: String
  }

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

  func visitLink(_ entry: ArchiveEntry) {
    guard let target = entry.linkTarget, !EntryName.isClutter(entry.name) else { return }
    links.append(
      Link(
        label: parent.map { "\($0)/\(entry.name)" } ?? entry.name, index: entry.index,
        target: parent.map { "\($0)/\(target)" } ?? target))
  }

  /// Adds the links to images as images. Their files share the bytes of those images if the file system permits it.
  func addLinkedImages(within budget: ArchiveBudget) throws {
    guard !links.isEmpty else { return }
    var found: [String: ArchiveExtraction.ExtractedImage] = [:]
    for image in images { EntryName.normalized(image.label).map { found[$0] = image } }
    let targets = Dictionary(
      links.compactMap { link in EntryName.normalized(link.label).map { ($0, link.target) } }
    ) { $1 }
    for link in links {
      // A link may lead to another link.
      var (target, steps) = (link.target, 0)
      while found[target] == nil, steps < Self.maximumLinkSteps, let next = targets[target] {
        (target, steps) = (next, steps + 1)
      }
      guard let image = found[target] else {
        omissions.add(link.label, linkTo: link.target)
        continue
      }
      let path = "\(prefix)-\(link.index)"
      do {
        try folder.link(image.path, to: path)
      } catch {
        let size = try folder.status(image.path).size
        try budget.count(bytes: Int(clamping: size), of: nil)
        try folder.copy(image.path, to: path)
      }
      images.append(
        ArchiveExtraction.ExtractedImage(label: link.label, format: image.format, path: path))
    }
    links = []
  }

  private static let maximumLinkSteps = 16

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

extension ArchiveError {
  /// Whether the file is at fault: a sound file of a kind that imgdl does not read is no failure, because resources of any
  /// type may be downloaded.
  package var isFailure: Bool { code != .unsupported }
}
