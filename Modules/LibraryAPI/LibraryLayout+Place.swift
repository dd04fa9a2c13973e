import SystemCalls

extension LibraryLayout {
  /// Whether the folder that was opened at the first use is still the one that has its path: the user
  /// may have moved or deleted it. What cannot be asked is taken to be in place. Blocks.
  package var isInPlace: Bool {
    do throws(SystemError) {
      let opened = try folder.root().status()
      let found = try FileSystem.status(root)
      return (opened.device, opened.inode) == (found.device, found.inode)
    } catch {
      return !error.isMissing
    }
  }

  /// What there is to say then.
  package var displacement: LibraryError {
    LibraryError(.io, "the library \(root) was moved or deleted")
  }
}
