import Models
import SystemCalls

/// Writes renditions: under a temporary name, then renamed, so that a reader never sees a part of one.
enum RenditionFile {
  /// Moves a file that is whole to its place.
  static func adopt(_ source: String, as path: String) throws(SystemError) {
    try FileSystem.moveIntoFolders(source, to: path)
  }

  /// - Parameter draft: a free name in the folder that is swept at the next start.
  static func write(_ bytes: [UInt8], to path: String, draft: String) throws(SystemError) {
    let file = try FileSystem.open(draft, .writing, create: .replacing, followingLinks: false)
    try file.write(all: bytes.span.bytes)
    file.close()
    try FileSystem.moveIntoFolders(draft, to: path)
  }
}
