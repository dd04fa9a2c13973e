public import Models

/// Applies the safety policy above any adapter. All code that opens untrusted archives uses this reader.
///
/// - Only regular files are read: folders, links and devices are counted and skipped. Links to other entries are passed
///   to `visitLink`.
/// - Entries, bytes and the compression ratio are counted while the data streams. Declared sizes are not
///   trusted: sizes beyond the limits end the walk at once, and data longer than declared ends it later.
/// - A zip in whose end records libraries may find different directories is rejected.
/// - A zip whose entries overlap or declare more than the limits is rejected from its directory, before an
///   entry is visited.
public struct GuardedArchiveReader: ArchiveReader {
  private let reader: any ArchiveReader
  private let policy: ArchivePolicy

  public init(_ reader: any ArchiveReader, policy: ArchivePolicy) {
    self.reader = reader
    self.policy = policy
  }

  public var formats: Set<ResourceFormat> { reader.formats }

  public func walk(
    _ path: String, password: DocumentPassword?, visitor: any ArchiveVisitor
  ) throws(ArchiveError) {
    try walk(path, password: password, visitor: visitor, within: ArchiveBudget(policy))
  }

  /// Walks a nested archive, which shares the budget and its policy.
  public func walk(
    _ path: String, password: DocumentPassword? = nil, visitor: any ArchiveVisitor,
    within budget: ArchiveBudget
  ) throws(ArchiveError) {
    try inspect(path, budget)
    try reader.walk(path, password: password, visitor: GuardingVisitor(visitor, budget))
  }

  private func inspect(_ path: String, _ budget: ArchiveBudget) throws(ArchiveError) {
    let file = try ArchiveFile(path)
    let format = file.sniffedFormat
    // A zip may begin with any bytes, so a file counts as a zip unless it is an archive of another format,
    // which may end with the bytes of a zip.
    let isZip = format == .zip || format.kind != .archive
    let end = isZip ? file.zipEnd() : nil
    // The adapter could unpack another directory than the one that is checked here.
    if let end, end.isAmbiguous { throw file.openingError }
    try budget.open(
      size: file.size, end.map { ZipDirectory(file, $0, limit: budget.policy.entries) })
  }
}

/// Counts entries and bytes and forwards them to another visitor.
private final class GuardingVisitor: ArchiveVisitor {
  private let inner: any ArchiveVisitor
  private let budget: ArchiveBudget
  private var entry: ArchiveEntry?
  private var entryBytes: Int64 = 0

  init(_ inner: any ArchiveVisitor, _ budget: ArchiveBudget) {
    self.inner = inner
    self.budget = budget
  }

  func visit(_ entry: ArchiveEntry) throws(ArchiveError) -> EntryDecision {
    try budget.count(entry)
    guard entry.kind == .file else {
      if entry.linkTarget != nil { inner.visitLink(entry) }
      return .skip
    }
    self.entry = entry
    entryBytes = 0
    return try inner.visit(entry)
  }

  func receive(_ bytes: RawSpan) throws(ArchiveError) {
    entryBytes = entryBytes.addingSaturating(Int64(bytes.byteCount))
    if let size = entry?.uncompressedSize, entryBytes > size {
      throw ArchiveError(
        .damaged, "the entry holds more than the \(size) bytes that it declares",
        entryName: entry?.name)
    }
    try budget.count(bytes: bytes.byteCount, of: entry)
    try inner.receive(bytes)
  }

  func endEntry() throws(ArchiveError) { try inner.endEntry() }

  func failEntry(_ error: ArchiveError) throws(ArchiveError) {
    try budget.countFault()
    try inner.failEntry(error)
  }
}
