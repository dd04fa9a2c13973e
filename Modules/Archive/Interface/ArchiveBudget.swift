/// The common budget of an archive and the archives inside it: entries and unpacked bytes, checked against
/// the limits and the size of the outermost file. Confined to the thread of the walk.
public final class ArchiveBudget {
  let policy: ArchivePolicy
  /// The size of the outermost file in bytes; nil until it is opened.
  private var fileSize: Int64?
  private var entries = 0
  private var declared: Int64 = 0
  private var unpacked: Int64 = 0
  private var faults = 0

  /// - Parameter fileSize: The size in bytes to which the unpacked bytes are compared; nil means the size of
  ///   the first archive that is opened.
  public init(_ policy: ArchivePolicy, fileSize: Int64? = nil) {
    self.policy = policy
    self.fileSize = fileSize
  }

  /// Checks an archive before its first entry is visited.
  /// - Parameter directory: The central directory of a zip, or nil if it could not be read.
  package func open(size: Int64, _ directory: ZipDirectory?) throws(ArchiveError) {
    let outermost = fileSize ?? size
    fileSize = outermost
    guard let directory else { return }
    try policy.checkEntries(entries + directory.entries.count)
    if directory.hasOverlaps {
      throw ArchiveError(.overlap, "")
    }
    try policy.checkBytes(
      declared.addingSaturating(directory.uncompressedSize), fileSize: outermost)
  }

  /// Counts an entry, including skipped ones, because skipping in a solid archive means unpacking.
  func count(_ entry: ArchiveEntry) throws(ArchiveError) {
    entries += 1
    try policy.checkEntries(entries)
    declared = declared.addingSaturating(max(0, entry.uncompressedSize ?? 0))
    try policy.checkBytes(declared, fileSize: fileSize ?? 0, entryName: entry.name)
  }

  package func count(bytes: Int, of entry: ArchiveEntry?) throws(ArchiveError) {
    unpacked = unpacked.addingSaturating(Int64(bytes))
    try policy.checkBytes(unpacked, fileSize: fileSize ?? 0, entryName: entry?.name)
  }

  func countFault() throws(ArchiveError) {
    faults += 1
    guard faults <= policy.faults else {
      throw ArchiveError(
        .damaged, "more than \(policy.faults) entries of the archive cannot be read")
    }
  }
}
