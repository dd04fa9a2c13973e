import SystemCalls

extension FileSystem {
  /// Removes a file that a source was spooled into, in whichever folder that is; one that is missing
  /// is fine.
  static func removeSpool(_ path: String) throws(SystemError) {
    let folder = ConfinedFolder(parentFolder(of: path), followingLinks: false)
    try folder.removeIfThere(path)
  }
}
