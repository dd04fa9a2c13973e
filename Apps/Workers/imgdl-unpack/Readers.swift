import Archive
import ArchiveLibarchive
import ArchiveMessages
import ArchiveMinizip

extension ArchiveAdapter {
  /// The reader of the adapter; a new reader is added here only.
  var readerType: any ArchiveFileReader.Type {
    switch self {
    case .minizip: MinizipReader.self
    case .libarchive: LibarchiveReader.self
    }
  }
}
