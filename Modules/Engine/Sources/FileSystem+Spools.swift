import SystemCalls

extension FileSystem {
  /// Deletes the spool of a source, in whichever folder it is. A missing file is not an error.
  static func removeSpool(_ path: String) throws(SystemError) {
    let folder = ConfinedFolder(parentFolder(of: path), followingLinks: false)
    try folder.removeIfThere(path)
  }
}
