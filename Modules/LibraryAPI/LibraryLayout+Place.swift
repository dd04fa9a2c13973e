import SystemCalls

extension LibraryLayout {
  /// Whether the root path still leads to the folder that was opened first; the user may have moved or
  /// deleted that folder. True if this cannot be determined. Blocks.
  package var isInPlace: Bool {
    do throws(SystemError) {
      let opened = try folder.root().status()
      let found = try FileSystem.status(root)
      return (opened.device, opened.inode) == (found.device, found.inode)
    } catch {
      return !error.isMissing
    }
  }

  /// The error for a library that is no longer at its path.
  package var displacement: LibraryError {
    LibraryError(.io, "the library \(root) was moved or deleted")
  }
}
