public import Models

/// A reader with the safety policy, above any adapter. Everything that opens archives from
/// strangers uses this one.
///
/// - Regular files only: folders, links and devices are counted and passed over.
/// - Entries, bytes and the ratio to the archive's size are counted as the data streams. Declared
///   sizes are never trusted: too large ones end the walk at once, too small ones when the data is
///   longer.
/// - A zip whose entries overlap, or declare more than the limits, is refused from its directory,
///   before an entry is visited.
public struct GuardedArchiveReader: ArchiveReader {
  private let reader: any ArchiveReader
  private let policy: ArchivePolicy

  public init(_ reader: any ArchiveReader, policy: ArchivePolicy) {
    self.reader = reader
    self.policy = policy
  }

  public var formats: Set<ResourceFormat> { reader.formats }

  public func walk(_ path: String, visitor: any ArchiveVisitor) throws(ArchiveError) {
    let size = try inspect(path)
    try reader.walk(path, visitor: GuardingVisitor(visitor, policy: policy, fileSize: size))
  }

  /// - Returns: the size of the file.
  private func inspect(_ path: String) throws(ArchiveError) -> Int64 {
    let file = try ArchiveFile(path)
    let format = file.sniffedFormat
    // A zip may begin with anything. An archive of another kind may end in a zip.
    guard format == .zip || format.kind != .archive,
      let directory = ZipDirectory(file, limit: policy.entries)
    else { return file.size }
    try policy.checkEntries(directory.entries.count)
    if directory.hasOverlaps {
      throw ArchiveError(.overlap, "its entries overlap, as those of a decompression bomb do")
    }
    try policy.checkBytes(directory.uncompressedSize, fileSize: file.size)
    return file.size
  }
}

/// Counts what goes by and hands it on.
private final class GuardingVisitor: ArchiveVisitor {
  private let inner: any ArchiveVisitor
  private let policy: ArchivePolicy
  private let fileSize: Int64
  private var entryCount = 0
  private var faultCount = 0
  private var declared: Int64 = 0
  private var unpacked: Int64 = 0
  private var entry: ArchiveEntry?
  private var entryBytes: Int64 = 0

  init(_ inner: any ArchiveVisitor, policy: ArchivePolicy, fileSize: Int64) {
    self.inner = inner
    self.policy = policy
    self.fileSize = fileSize
  }

  func visit(_ entry: ArchiveEntry) throws(ArchiveError) -> EntryDecision {
    entryCount += 1
    try policy.checkEntries(entryCount)
    // Also of what is skipped: in a solid archive to skip is to unpack.
    declared = declared.addingSaturating(max(0, entry.uncompressedSize ?? 0))
    try policy.checkBytes(declared, fileSize: fileSize, entryName: entry.name)
    guard entry.kind == .file else { return .skip }
    self.entry = entry
    entryBytes = 0
    return try inner.visit(entry)
  }

  func receive(_ bytes: RawSpan) throws(ArchiveError) {
    let count = Int64(bytes.byteCount)
    unpacked = unpacked.addingSaturating(count)
    entryBytes = entryBytes.addingSaturating(count)
    if let size = entry?.uncompressedSize, entryBytes > size {
      throw ArchiveError(
        .damaged, "holds more than the \(size) bytes that it declares", entryName: entry?.name)
    }
    try policy.checkBytes(unpacked, fileSize: fileSize, entryName: entry?.name)
    try inner.receive(bytes)
  }

  func endEntry() throws(ArchiveError) { try inner.endEntry() }

  func failEntry(_ error: ArchiveError) throws(ArchiveError) {
    faultCount += 1
    guard faultCount <= policy.faults else {
      throw ArchiveError(.damaged, "more than \(policy.faults) entries cannot be read")
    }
    try inner.failEntry(error)
  }
}
