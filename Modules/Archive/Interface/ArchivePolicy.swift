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

  /// Checks entries that are to be unpacked, without the others of their archive.
  /// - Parameters:
  ///   - sizes: The number of bytes that the archive declares for each of them.
  ///   - fileSize: The size of the archive in bytes.
  package func checkSelection(
    _ sizes: some Collection<Int64>, fileSize: Int64
  ) throws(ArchiveError) {
    let name = "the selection of entries"
    try checkEntries(sizes.count, of: name)
    try checkBytes(
      sizes.reduce(0) { $0.addingSaturating(max(0, $1)) }, fileSize: fileSize, of: name)
  }

  /// - Parameter name: The subject of the error's sentence.
  func checkEntries(_ count: Int, of name: String = "the archive") throws(ArchiveError) {
    guard count > entries else { return }
    throw ArchiveError(
      .limit, "\(name) has more than \(entries) entries (limits.archiveEntries)")
  }

  /// Throws if the number of unpacked bytes exceeds a limit.
  /// - Parameters:
  ///   - unpacked: The number of unpacked bytes, or the number declared by the archive.
  ///   - fileSize: The size of the archive in bytes.
  ///   - name: The subject of the error's sentence; nil means the archive.
  func checkBytes(
    _ unpacked: Int64, fileSize: Int64, entryName: String? = nil, of name: String? = nil
  ) throws(ArchiveError) {
    if unpacked > bytes {
      throw ArchiveError(
        .limit,
        "\(name ?? "the archive") unpacks to more than \(bytes) bytes (limits.archiveBytes)",
        entryName: entryName)
    }
    let (allowed, isHuge) = max(1, fileSize).multipliedReportingOverflow(by: Int64(ratio))
    if unpacked > ratioAllowance, !isHuge, unpacked > allowed {
      throw ArchiveError(
        .limit,
        "\(name ?? "the archive") unpacks to more than \(ratio) times "
          + "\(name == nil ? "its size" : "the size of the archive") (limits.archiveRatio)",
        entryName: entryName)
    }
  }
}
