import Models
import SystemCalls

/// Writes renditions: under a temporary name, then renamed, so that a reader never sees a part of one.
enum RenditionFile {
  /// Moves a file that is whole to its place.
  static func adopt(
    _ source: String, as path: String, in folder: ConfinedFolder
  ) throws(SystemError) {
    try folder.moveIntoFolders(source, to: path)
  }

  /// - Parameter draft: a free name in the folder that is swept at the next start.
  static func write(
    _ bytes: [UInt8], to path: String, draft: String, in folder: ConfinedFolder
  ) throws(SystemError) {
    let file = try folder.open(draft, .writing, create: .replacing)
    try file.write(all: bytes.span.bytes)
    file.close()
    try folder.moveIntoFolders(draft, to: path)
  }
}
