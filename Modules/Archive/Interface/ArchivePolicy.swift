public import Models

/// The limits of one archive, from the settings. An archive in an archive is an entry like any
/// other; whoever opens it spends from the same `ArchiveBudget`.
public struct ArchivePolicy: Sendable, Equatable {
  /// Entries of every kind.
  public var entries: Int
  /// Unpacked bytes of all entries together.
  public var bytes: Int64
  /// Unpacked bytes over the bytes of the archive file, beyond `ratioAllowance`.
  public var ratio: Int
  /// Unpacked bytes that may have any ratio: small archives of plain pictures are no bombs.
  public var ratioAllowance: Int64 = 10 << 20
  /// Archives inside each other that are opened, below the outermost one.
  public var nesting: Int
  /// Entries that may be damaged before the whole archive is abandoned.
  public var faults = 100

  public init(_ limits: Settings.Limits = Settings().limits) {
    entries = limits.archiveEntries
    bytes = Int64(limits.archiveBytes)
    ratio = limits.archiveRatio
    nesting = limits.archiveNesting
  }

  func checkEntries(_ count: Int) throws(ArchiveError) {
    guard count > entries else { return }
    throw ArchiveError(
      .limit, "the archive has more than \(entries) entries (limits.archiveEntries)")
  }

  /// - Parameters:
  ///   - unpacked: what came out, or what the archive says will come out.
  ///   - fileSize: of the archive.
  func checkBytes(
    _ unpacked: Int64, fileSize: Int64, entryName: String? = nil
  ) throws(ArchiveError) {
    if unpacked > bytes {
      throw ArchiveError(
        .limit, "the archive unpacks to more than \(bytes) bytes (limits.archiveBytes)",
        entryName: entryName)
    }
    let (allowed, isHuge) = max(1, fileSize).multipliedReportingOverflow(by: Int64(ratio))
    if unpacked > ratioAllowance, !isHuge, unpacked > allowed {
      throw ArchiveError(
        .limit, "the archive unpacks to more than \(ratio) times its size (limits.archiveRatio)",
        entryName: entryName)
    }
  }
}
