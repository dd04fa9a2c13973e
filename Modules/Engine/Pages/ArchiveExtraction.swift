import Archive
import Models
import SystemCalls

/// Takes the pictures out of an archive, into files of our own naming, in natural order of their names.
struct ArchiveExtraction: Sendable {
  let path: String
  let resource: ResourceID
  let layout: LibraryLayout
  let archive: any ArchiveReader

  struct Picture: Sendable {
    /// The entry's name: a label.
    let label: String
    let format: ResourceFormat
    /// Where its bytes are now.
    let path: String
  }

  struct Output: Sendable {
    var pictures: [Picture] = []
    /// What ended the walk early, in words; the pictures before it are good.
    var problem: String?
  }

  /// Blocks. What it throws leaves no file behind.
  /// - Throws: `ArchiveError` if not one picture could be taken out, `SystemError` for our disk,
  ///   `CancellationError`.
  func run(_ isCancelled: CancellationFlag) throws -> Output {
    let collector = PictureCollector(
      prefix: "\(layout.incoming)/\(resource)-entry", isCancelled: isCancelled)
    do {
      return try run(collector)
    } catch {
      Self.discard(collector.pictures)
      throw error
    }
  }

  /// Removes pictures that nobody adopts. Blocks.
  static func discard(_ pictures: some Sequence<Picture>) {
    for picture in pictures { try? FileSystem.remove(picture.path) }
  }

  private func run(_ collector: PictureCollector) throws -> Output {
    defer { collector.abandonEntry() }
    var output = Output()
    do {
      try archive.walk(path, visitor: collector)
    } catch {
      if let failure = collector.ownFailure { throw failure }
      if collector.pictures.isEmpty { throw error }
      output.problem = error.description
    }
    if let failure = collector.failures.first {
      if collector.pictures.isEmpty { throw failure }
      let count = collector.failures.count
      output.problem = count == 1 ? "\(failure)" : "\(count) entries are damaged; \(failure)"
    }
    output.pictures = EntryOrder.natural(collector.pictures, by: \.label)
    return output
  }
}

/// Writes each entry that begins like a picture to a file. Confined to the thread that walks.
private final class PictureCollector: ArchiveVisitor {
  private let prefix: String
  private let isCancelled: CancellationFlag
  private var label = ""
  private var index = 0
  private var head: [UInt8] = []
  private var file: OwnedDescriptor?
  private var format: ResourceFormat?
  private(set) var pictures: [ArchiveExtraction.Picture] = []
  private(set) var failures: [ArchiveError] = []
  /// What ended the walk from this side.
  private(set) var ownFailure: (any Error)?

  init(prefix: String, isCancelled: CancellationFlag) {
    self.prefix = prefix
    self.isCancelled = isCancelled
  }

  func visit(_ entry: ArchiveEntry) throws(ArchiveError) -> EntryDecision {
    guard entry.kind == .file, !Self.isClutter(entry.name) else { return .skip }
    label = entry.name
    index = entry.index
    head = []
    format = nil
    return .read
  }

  /// What macOS and Windows leave in archives.
  private static func isClutter(_ name: String) -> Bool {
    let parts = name.split(separator: "/")
    return parts.first == "__MACOSX" || parts.last?.hasPrefix("._") ?? false
      || parts.last == "Thumbs.db"
  }

  func receive(_ bytes: RawSpan) throws(ArchiveError) {
    try own {
      try isCancelled.check()
      if let file { return try file.write(all: bytes) }
      guard format == nil else { return }
      bytes.withUnsafeBytes { head.append(contentsOf: $0) }
      if head.count >= ResourceFormat.sniffLength { try begin() }
    }
  }

  /// Does what may fail on this side, and remembers that it did.
  private func own(_ body: () throws -> Void) throws(ArchiveError) {
    do {
      try body()
    } catch {
      ownFailure = error
      throw ArchiveError(.visitor, "\(error)")
    }
  }

  /// Enough is known to tell what it is.
  private func begin() throws(SystemError) {
    let format = ResourceFormat(sniffing: head)
    self.format = format
    guard format.kind == .image else { return }
    let file = try FileSystem.open("\(prefix)-\(index)", .writing, create: .replacing)
    let beginning = head
    try file.write(all: beginning.span.bytes)
    self.file = file
  }

  /// A damaged entry costs its picture, not the others.
  func failEntry(_ error: ArchiveError) throws(ArchiveError) {
    abandonEntry()
    guard error.code != .limit, error.code != .visitor else { throw error }
    failures.append(error)
  }

  func endEntry() throws(ArchiveError) {
    try own { if format == nil, !head.isEmpty { try begin() } }
    guard let file, let format else { return }
    file.close()
    self.file = nil
    pictures.append(
      ArchiveExtraction.Picture(label: label, format: format, path: "\(prefix)-\(index)"))
  }

  /// Removes the file of an entry that did not come to its end.
  func abandonEntry() {
    guard let file else { return }
    file.close()
    self.file = nil
    try? FileSystem.remove("\(prefix)-\(index)")
  }
}
