/// What happens to the entries of an archive as they go by. Confined to the thread that walks.
public protocol ArchiveVisitor: AnyObject {
  func visit(_ entry: ArchiveEntry) throws(ArchiveError) -> EntryDecision
  /// The next bytes of the entry that was requested; valid during the call only.
  func receive(_ bytes: RawSpan) throws(ArchiveError)
  /// The entry's data is complete and its checksum was right.
  func endEntry() throws(ArchiveError)
  /// The entry that was requested cannot be read, or not to its end: damaged, encrypted, a method
  /// that the adapter does not have. To return is to continue with the next entry; without an
  /// implementation the error ends the walk.
  func failEntry(_ error: ArchiveError) throws(ArchiveError)
}

extension ArchiveVisitor {
  public func failEntry(_ error: ArchiveError) throws(ArchiveError) { throw error }
}

public enum EntryDecision: Sendable, Equatable {
  case skip, read
  /// Nothing more of this archive is wanted.
  case stop
}

public struct ArchiveEntry: Sendable, Equatable {
  public enum Kind: Sendable, Equatable { case file, directory, other }

  /// Position in the walk, from 0.
  public let index: Int
  /// As the archive has it (see `EntryName`): a label, never a path.
  public let name: String
  public let kind: Kind
  public let isEncrypted: Bool
  /// Declared sizes in bytes; nil where the format does not say, never trusted.
  public let compressedSize: Int64?
  public let uncompressedSize: Int64?

  public init(
    index: Int, name: String, kind: Kind = .file, isEncrypted: Bool = false,
    compressedSize: Int64? = nil, uncompressedSize: Int64? = nil
  ) {
    self.index = index
    self.name = name
    self.kind = kind
    self.isEncrypted = isEncrypted
    self.compressedSize = compressedSize
    self.uncompressedSize = uncompressedSize
  }
}
