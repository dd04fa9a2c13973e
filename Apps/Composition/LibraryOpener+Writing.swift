public import Archive
import ArchiveWriting

extension LibraryOpener {
  /// Returns a writer of a new archive. Blocks while it creates the file.
  /// - Parameter path: The file to write; an existing file is replaced.
  public static func archiveWriter(
    _ kind: ArchiveKind, to path: String
  ) throws(ArchiveError) -> any ArchiveWriter {
    try LibarchiveWriter(kind, to: path)
  }
}
