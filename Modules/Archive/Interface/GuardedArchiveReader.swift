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

  public func walk(
    _ path: String, password: DocumentPassword?, visitor: any ArchiveVisitor
  ) throws(ArchiveError) {
    try walk(path, password: password, visitor: visitor, within: ArchiveBudget(policy))
  }

  /// As `walk`, for an archive inside another one: both spend from one budget, whose policy counts.
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
    // A zip may begin with anything. An archive of another kind may end in a zip.
    let isZip = format == .zip || format.kind != .archive
    try budget.open(
      size: file.size, isZip ? ZipDirectory(file, limit: budget.policy.entries) : nil)
  }
}

/// Counts what goes by and hands it on.
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
    guard entry.kind == .file else { return .skip }
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
