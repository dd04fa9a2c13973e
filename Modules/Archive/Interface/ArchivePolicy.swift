public import Models

/// The limits of one archive, from the settings. A nested archive is an ordinary entry; opening it uses the
/// same `ArchiveBudget`.
public struct ArchivePolicy: Sendable, Equatable {
  /// The maximum number of entries of every kind.
  public var entries: Int
  /// The maximum number of unpacked bytes of all entries together.
  public var bytes: Int64
  /// The maximum ratio of unpacked bytes to the size of the archive file, beyond `ratioAllowance`.
  public var ratio: Int
  /// The number of unpacked bytes up to which the ratio does not apply, because small archives of simple
  /// images are not bombs.
  public var ratioAllowance: Int64 = 10 << 20
  /// The maximum nesting depth of archives, below the outermost one.
  public var nesting: Int
  /// The number of damaged entries after which the whole archive is abandoned.
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

  /// Throws if the number of unpacked bytes exceeds a limit.
  /// - Parameters:
  ///   - unpacked: The number of unpacked bytes, or the number declared by the archive.
  ///   - fileSize: The size of the archive in bytes.
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
