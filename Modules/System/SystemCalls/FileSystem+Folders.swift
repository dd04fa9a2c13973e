import Glibc

extension FileSystem {
  public struct Entry: Sendable, Equatable {
    public let name: String
    /// The kind, or `.unknown` if the file system does not report it.
    public let kind: FileStatus.Kind
  }

  /// Creates a folder and its missing parents. An existing folder is not an error.
  /// - Parameter mode: The permissions before the umask.
  public static func makeFolders(_ path: String, mode: UInt32 = 0o777) throws(SystemError) {
    do throws(SystemError) {
      try makeFolder(path, mode: mode)
    } catch  where error.errno == ENOENT {
      let parent = parentFolder(of: path)
      guard parent != path else { throw error }
      try makeFolders(parent, mode: mode)
      try makeFolder(path, mode: mode)
    } catch {
      throw error
    }
  }

  private static func makeFolder(_ path: String, mode: UInt32) throws(SystemError) {
    do throws(SystemError) {
      _ = try checked("create the folder", path) { mkdir(path, mode_t(mode)) }
    } catch  where error.errno == EEXIST {
      guard try status(path).kind == .folder else { throw error }
    } catch {
      throw error
    }
  }

  /// Removes an empty folder.
  public static func removeFolder(_ path: String) throws(SystemError) {
    _ = try checked("remove the folder", path) { rmdir(path) }
  }

  /// Returns the parent folder of a path: "/" for "/x", "." for "x".
  public static func parentFolder(of path: String) -> String {
    var text = Substring(path)
    while text.utf8.count > 1, text.utf8.last == UInt8(ascii: "/") { text = text.dropLast() }
    guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == text.startIndex ? "/" : String(text[..<slash])
  }

  /// Returns the names in a folder, without `.` and `..`, in no particular order.
  public static func list(_ path: String) throws(SystemError) -> [Entry] {
    try list(try openFolder(path))
  }

  static func list(_ folder: OwnedDescriptor) throws(SystemError) -> [Entry] {
    var entries: [Entry] = []
    try forEachEntry(of: folder) { (name, type) throws(SystemError) in
      entries.append(Entry(name: String(cString: name), kind: .init(directoryType: type)))
    }
    return entries
  }

  /// Removes a folder with its contents, or a file. Symbolic links are removed, never followed. A missing
  /// file is no error.
  public static func removeTree(_ path: String) throws(SystemError) {
    try removeTree(AT_FDCWD, path, path)
  }

  /// Removes the contents of a folder, or a file or a link of that name. The folder itself stays: a process
  /// that writes into it at the same time is not disturbed, and its new files may remain.
  public static func removeContents(of path: String) throws(SystemError) {
    _ = try removeContents(AT_FDCWD, path, path)
  }

  static func removeTree(
    _ parent: Int32, _ name: UnsafePointer<CChar>, _ path: String
  ) throws(SystemError) {
    guard try removeContents(parent, name, path) else { return }
    if unlinkat(parent, name, AT_REMOVEDIR) != 0, errno != ENOENT {
      throw .last("remove the folder", path: path)
    }
  }

  /// - Returns: true for a folder, which still exists; false for anything else, which was removed or did not
  ///   exist.
  @discardableResult
  static func removeContents(
    _ parent: Int32, _ name: UnsafePointer<CChar>, _ path: String
  ) throws(SystemError) -> Bool {
    if unlinkat(parent, name, 0) == 0 || errno == ENOENT { return false }
    // For a folder, unlink(2) fails with EISDIR on Linux; POSIX also allows EPERM.
    guard errno == EISDIR || errno == EPERM else { throw .last("remove", path: path) }
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let raw = try checked("open", path) { openat(parent, name, flags) }
    let folder = OwnedDescriptor(raw, path: path)
    // Names are passed as bytes, because a String would change a name that is not valid UTF-8.
    try forEachEntry(of: folder) { (child, _) throws(SystemError) in
      try removeTree(folder.raw, child, path + "/" + String(cString: child))
    }
    return true
  }

  /// Calls `body` for each entry; the name is valid only during the call.
  private static func forEachEntry(
    of folder: OwnedDescriptor,
    _ body: (UnsafePointer<CChar>, UInt8) throws(SystemError) -> Void
  ) throws(SystemError) {
    // The directory stream closes its descriptor, so it gets a duplicate.
    let copy = try folder.duplicate()
    guard let stream = fdopendir(copy.raw) else { throw .last("list", path: folder.path) }
    _ = copy.release()
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw .last("list", path: folder.path) }
        return
      }
      // A directory record is only as long as its name, so copying the whole C struct would read past the
      // record.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return }
      let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      if strcmp(name, ".") == 0 || strcmp(name, "..") == 0 { continue }
      try body(name, entry.pointee.d_type)
    }
  }
}
