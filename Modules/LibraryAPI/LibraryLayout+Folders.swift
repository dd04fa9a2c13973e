import Models
public import SystemCalls

/// The library's own folders, which nobody but their owner can look into: URLs, request fields and
/// lists in them may hold secrets.
extension LibraryLayout {
  package static let privateFolder: UInt32 = 0o700
  package static let privateFile: UInt32 = 0o600
  /// Before the umask. A partial file has it from the beginning: it lies in a private folder, and to
  /// change it when it is whole would be one more call to the kernel a file.
  package static let original: UInt32 = 0o666

  /// Makes the library and the folders in it, and takes away from others what an older version, or
  /// somebody's `chmod`, let them read. Blocks.
  public func prepareFolders() throws(SystemError) {
    try FileSystem.makeFolders(root)
    try folder.makeFolders(internals, mode: Self.privateFolder)
    try makePrivate()
    for path in [incoming, renditions] { try folder.makeFolders(path, mode: Self.privateFolder) }
  }

  /// Corrects the modes of the library's own folder and of what is in it, whatever the umask was
  /// when they were made. Those of another user, or on a read-only file system, stay as they are.
  /// Blocks.
  public func makePrivate() throws(SystemError) {
    try folder.restrictMode(of: internals, to: Self.privateFolder)
    for entry in try folder.list(internals) where entry.kind == .file || entry.kind == .folder {
      let mode = entry.kind == .file ? Self.privateFile : Self.privateFolder
      do throws(SystemError) {
        try folder.restrictMode(of: "\(internals)/\(entry.name)", to: mode)
      } catch {
        // SQLite removes its log at any moment.
        guard error.isMissing else { throw error }
      }
    }
  }
}
