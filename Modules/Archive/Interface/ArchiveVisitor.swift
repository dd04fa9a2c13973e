/// A receiver of the entries of an archive during a walk. Confined to the thread of the walk.
public protocol ArchiveVisitor: AnyObject {
  func visit(_ entry: ArchiveEntry) throws(ArchiveError) -> EntryDecision
  /// Called by `GuardedArchiveReader` in place of `visit` for a link to another entry (`ArchiveEntry.linkTarget`). The
  /// default implementation ignores it.
  func visitLink(_ entry: ArchiveEntry)
  /// Receives the next bytes of the requested entry; they are valid only during the call.
  func receive(_ bytes: RawSpan) throws(ArchiveError)
  /// Called when the data of the requested entry is complete and its checksum is correct.
  func endEntry() throws(ArchiveError)
  /// Called when the requested entry cannot be read, or only in part: it is damaged, encrypted, or uses an
  /// unsupported method. Returning continues with the next entry; the default implementation ends the walk
  /// with the error.
  func failEntry(_ error: ArchiveError) throws(ArchiveError)
}

extension ArchiveVisitor {
  public func failEntry(_ error: ArchiveError) throws(ArchiveError) { throw error }
  public func visitLink(_ entry: ArchiveEntry) {}
}

public enum EntryDecision: Sendable, Equatable {
  case skip, read
  /// No further entry of the archive is needed.
  case stop
}

public struct ArchiveEntry: Sendable, Equatable {
  public enum Kind: Sendable, Equatable { case file, directory, other }

  /// The index of the entry in the walk, from 0.
  public let index: Int
  /// The name in the archive (see `EntryName`), which is a label and never used as a path.
  public let name: String
  public let kind: Kind
  public let isEncrypted: Bool
  /// The declared sizes in bytes, which are not trusted; nil if the format does not declare them.
  public let compressedSize: Int64?
  public let uncompressedSize: Int64?
  /// The name of the entry to which this one is a hard or symbolic link (`EntryName.target`), without data of its own;
  /// nil for an entry that is no link, or one to something outside of the archive. No entry need have that name.
  public let linkTarget: String?

  public init(
    index: Int, name: String, kind: Kind = .file, isEncrypted: Bool = false,
    compressedSize: Int64? = nil, uncompressedSize: Int64? = nil, linkTarget: String? = nil
  ) {
    self.index = index
    self.name = name
    self.kind = kind
    self.isEncrypted = isEncrypted
    self.compressedSize = compressedSize
    self.uncompressedSize = uncompressedSize
    self.linkTarget = linkTarget
  }
}
