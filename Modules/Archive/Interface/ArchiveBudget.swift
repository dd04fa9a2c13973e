/// What an archive and those inside it may spend together: entries, and bytes that come out, against
/// the limits and the size of the outermost file. Confined to the thread that walks.
public final class ArchiveBudget {
  let policy: ArchivePolicy
  /// Bytes of the outermost file; known once it is opened.
  private var fileSize: Int64?
  private var entries = 0
  private var declared: Int64 = 0
  private var unpacked: Int64 = 0
  private var faults = 0

  public init(_ policy: ArchivePolicy) { self.policy = policy }

  /// Looks at an archive before an entry of it is visited.
  /// - Parameter directory: of a zip, where it could be read.
  func open(size: Int64, _ directory: ZipDirectory?) throws(ArchiveError) {
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

  /// Counts an entry, also one that is skipped: in a solid archive to skip is to unpack.
  func count(_ entry: ArchiveEntry) throws(ArchiveError) {
    entries += 1
    try policy.checkEntries(entries)
    declared = declared.addingSaturating(max(0, entry.uncompressedSize ?? 0))
    try policy.checkBytes(declared, fileSize: fileSize ?? 0, entryName: entry.name)
  }

  func count(bytes: Int, of entry: ArchiveEntry?) throws(ArchiveError) {
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
