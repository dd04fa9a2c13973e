import Archive
import Models
import SystemCalls

/// Takes the pictures out of an archive, into files of our own naming, in natural order of their names.
struct ArchiveExtraction: Sendable {
  let path: String
  let resource: ResourceID
  let layout: LibraryLayout
  let archive: any ArchiveReader
  let limits: Settings.Limits

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

  /// Blocks.
  /// - Throws: `ArchiveError` if not one picture could be taken out, `SystemError` for our disk.
  func run() throws -> Output {
    let collector = PictureCollector(prefix: "\(layout.incoming)/\(resource)-entry")
    var output = Output()
    do {
      try archive.walk(path, visitor: collector)
    } catch {
      if let failure = collector.diskFailure { throw failure }
      if collector.pictures.isEmpty { throw error }
      output.problem = error.description
    }
    collector.abandonEntry()
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
  private var label = ""
  private var index = 0
  private var head: [UInt8] = []
  private var file: OwnedDescriptor?
  private var format: ResourceFormat?
  private(set) var pictures: [ArchiveExtraction.Picture] = []
  private(set) var failures: [ArchiveError] = []
  private(set) var diskFailure: SystemError?

  init(prefix: String) { self.prefix = prefix }

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
    do throws(SystemError) {
      if let file { return try file.write(all: bytes) }
      guard format == nil else { return }
      for offset in 0..<bytes.byteCount {
        head.append(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
      }
      if head.count >= ResourceFormat.sniffLength { try begin() }
    } catch {
      diskFailure = error
      throw ArchiveError(.visitor, error.description)
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
    do throws(SystemError) {
      if format == nil, !head.isEmpty { try begin() }
    } catch {
      diskFailure = error
      throw ArchiveError(.visitor, error.description)
    }
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
