import SystemCalls

extension FileSystem {
  /// Renames a file; the folders of its new name are made if they are missing.
  static func moveIntoFolders(_ path: String, to new: String) throws(SystemError) {
    do throws(SystemError) {
      return try rename(path, to: new)
    } catch {
      guard error.isMissing else { throw error }
    }
    try makeFolders(parentFolder(of: new))
    try rename(path, to: new)
  }

  /// Removes a file; one that is missing is fine.
  static func removeIfThere(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      try remove(path)
    } catch {
      guard error.isMissing else { throw error }
    }
  }
}
