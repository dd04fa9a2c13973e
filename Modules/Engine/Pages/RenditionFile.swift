import Models
import SystemCalls

/// Writes renditions: under a temporary name, then renamed, so that a reader never sees a part of one.
enum RenditionFile {
  /// Moves a file that is whole to its place.
  static func adopt(_ source: String, as path: String) throws(SystemError) {
    try FileSystem.moveIntoFolders(source, to: path)
  }

  static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    do throws(SystemError) {
      return try FileSystem.replace(path, with: bytes.span.bytes, syncing: false)
    } catch {
      guard error.isMissing else { throw error }
      try FileSystem.makeFolders(FileSystem.parentFolder(of: path))
      try FileSystem.replace(path, with: bytes.span.bytes, syncing: false)
    }
  }
}
