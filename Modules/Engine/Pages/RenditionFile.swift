import Models
import SystemCalls

/// Writes renditions under a temporary name and renames them, so that readers never see an incomplete file.
enum RenditionFile {
  /// Moves a complete file to its final path.
  static func move(
    _ source: String, as path: String, in folder: ConfinedFolder
  ) throws(SystemError) {
    try folder.moveIntoFolders(source, to: path)
  }

  /// Writes the bytes of a rendition to its final path.
  /// - Parameter draft: A free path in the incoming folder; the next start deletes a file left there.
  static func write(
    _ bytes: [UInt8], to path: String, draft: String, in folder: ConfinedFolder
  ) throws(SystemError) {
    let file = try folder.open(draft, .writing, create: .replacing)
    do throws(SystemError) {
      defer { file.close() }
      try file.write(all: bytes.span.bytes)
      try folder.moveIntoFolders(draft, to: path)
    } catch {
      // On a full disk, a part of a file would use the last space.
      try? folder.remove(draft)
      throw error
    }
  }
}
