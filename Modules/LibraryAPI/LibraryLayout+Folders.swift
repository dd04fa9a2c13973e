import Models
public import SystemCalls

/// The library's internal folders, which only their owner can read, because the URLs, request fields and
/// lists in them may contain secrets.
extension LibraryLayout {
  package static let privateFolder: UInt32 = 0o700
  package static let privateFile: UInt32 = 0o600
  /// The mode of an original, before the umask. A partial file already has this mode: other users cannot
  /// reach it in its private folder, and changing the mode later would cost one more system call for each
  /// file.
  package static let original: UInt32 = 0o666

  /// Creates the library's folder and its internal folders, and withdraws access that an older version or a
  /// `chmod` gave to other users. Blocks.
  public func prepareFolders() throws(SystemError) {
    try FileSystem.makeFolders(root)
    try folder.makeFolders(internals, mode: Self.privateFolder)
    try makePrivate()
    for path in [incoming, renditions] { try folder.makeFolders(path, mode: Self.privateFolder) }
  }

  /// The file with the host name and the key of the web page. A file that other users can read keeps its
  /// mode, so that its reader detects this and does not use a key that others may know.
  package var webCredentials: String { internals + "/web.json" }

  /// Corrects the modes of the internal folder and of its direct entries. Files of another user, or on a
  /// read-only file system, keep their modes. Blocks.
  public func makePrivate() throws(SystemError) {
    try folder.restrictMode(of: internals, to: Self.privateFolder)
    for entry in try folder.list(internals)
    where (entry.kind == .file || entry.kind == .folder)
      && "\(internals)/\(entry.name)" != webCredentials
    {
      let mode = entry.kind == .file ? Self.privateFile : Self.privateFolder
      do throws(SystemError) {
        try folder.restrictMode(of: "\(internals)/\(entry.name)", to: mode)
      } catch {
        // SQLite may remove its log between the listing of the folder and this call.
        guard error.isMissing else { throw error }
      }
    }
  }
}
