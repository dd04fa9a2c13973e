public import Archive
import ArchiveLibarchive

extension LibraryOpener {
  /// A new archive. Blocks.
  /// - Parameter path: replaced if it is there.
  public static func archiveWriter(
    _ kind: ArchiveKind, to path: String
  ) throws(ArchiveError) -> any ArchiveWriter {
    try LibarchiveWriter(kind, to: path)
  }
}
