import SystemCalls

extension FileSystem {
  /// Deletes the spool of a source, which may be in any folder. A missing file is not an error.
  static func removeSpool(_ path: String) throws(SystemError) {
    let folder = ConfinedFolder(parentFolder(of: path), followingLinks: false)
    try folder.removeIfExists(path)
  }
}
