public import Models
public import Wiring

/// Lists and streams the entries of an archive file. Nothing is ever written to a name that an
/// archive gave: callers store entry data under names of their own.
///
/// Calls block; make them on a thread that may block. A reader keeps no state between calls and
/// may be used from several threads.
public protocol ArchiveReader: Sendable {
  /// The formats this reader opens.
  var formats: Set<ResourceFormat> { get }

  /// Goes through the archive once, in its own order.
  ///
  /// Reports each entry to `visit`, which says whether its data is wanted; wanted data is streamed
  /// to `visitor.receive` and followed by `visitor.endEntry`. Raw: no safety policy here, see `GuardedArchiveReader`.
  /// - Parameter path: of a regular file.
  /// - Throws: `ArchiveError`, also whatever the visitor threw.
  func walk(_ path: String, visitor: any ArchiveVisitor) throws(ArchiveError)
}

extension Port where Service == any ArchiveReader {
  public static var archive: Port<any ArchiveReader> { Port("archive") }
}

/// What happens to the entries of an archive as they go by. Confined to the thread that walks.
public protocol ArchiveVisitor: AnyObject {
  func visit(_ entry: ArchiveEntry) throws(ArchiveError) -> EntryDecision
  /// The next bytes of the entry that was asked for; valid during the call only.
  func receive(_ bytes: RawSpan) throws(ArchiveError)
  /// The entry's data is complete and its checksum was right.
  func endEntry() throws(ArchiveError)
}

public enum EntryDecision: Sendable, Equatable {
  case skip, read
  /// Nothing more of this archive is wanted.
  case stop
}

public struct ArchiveEntry: Sendable, Equatable {
  public enum Kind: Sendable, Equatable { case file, directory, other }

  /// Position in the archive, from 0.
  public let index: Int
  /// As the archive has it (decoded from UTF-8, else CP437): a label, never a path.
  public let name: String
  public let kind: Kind
  public let isEncrypted: Bool
  /// Declared sizes in bytes; nil where the format does not say, never trusted.
  public let compressedSize: Int64?
  public let uncompressedSize: Int64?
  /// Offset of the entry's data or header in the file, where the format has one: shows overlaps.
  public let offset: Int64?

  public init(
    index: Int, name: String, kind: Kind, isEncrypted: Bool, compressedSize: Int64?,
    uncompressedSize: Int64?, offset: Int64?
  ) {
    self.index = index
    self.name = name
    self.kind = kind
    self.isEncrypted = isEncrypted
    self.compressedSize = compressedSize
    self.uncompressedSize = uncompressedSize
    self.offset = offset
  }
}
