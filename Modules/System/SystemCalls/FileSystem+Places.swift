import Glibc

extension FileSystem {
  /// Returns the working folder.
  /// - Throws: `ENOENT` if the folder was removed or unmounted. No other folder takes its place, because files would
  ///   then be written where the user does not expect them.
  public static func workingFolder() throws(SystemError) -> String {
    guard let path = getcwd(nil, 0) else {
      let code = Glibc.errno
      throw SystemError(
        errno: code, call: "find the working folder",
        explanation: code == ENOENT ? "the working folder does not exist any more" : nil)
    }
    defer { free(path) }
    return String(cString: path)
  }

  /// Returns the absolute path; a relative path is below the working folder. `..` is not resolved, because only the
  /// file system knows the parent folder behind a symbolic link.
  /// - Throws: The error of `workingFolder()` for a relative path.
  public static func absolutePath(_ path: String) throws(SystemError) -> String {
    var whole = path
    if !path.hasPrefix("/") {
      do throws(SystemError) {
        whole = try workingFolder() + "/" + path
      } catch {
        throw SystemError(
          errno: error.errno, call: "use", path: path, explanation: error.reason)
      }
    }
    return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  /// Returns the path of the file that writing to the absolute path `path` creates or changes. Symbolic links are
  /// resolved, also those whose target does not exist yet.
  /// - Throws: `ELOOP` for links in a circle.
  public static func writtenPath(_ path: String) throws(SystemError) -> String {
    var current = path
    // The kernel follows as many links in one path.
    for _ in 0..<40 {
      if let real = try? realPath(current) { return real }
      // The text of a link in /proc, which leads to a pipe or a socket, is no path, although the link can be opened.
      if exists(current) { return current }
      guard let target = try? linkTarget(current) else { return canonicalPath(current) }
      current = target.hasPrefix("/") ? target : parentFolder(of: current) + "/" + target
    }
    throw SystemError(errno: ELOOP, call: "write", path: path)
  }

  /// Returns the absolute path without links, `.` and `..`. The file must exist.
  public static func realPath(_ path: String) throws(SystemError) -> String {
    guard let real = realpath(path, nil) else { throw .last("open", path: path) }
    defer { free(real) }
    return String(cString: real)
  }

  /// Returns the real path of the deepest existing folder of `path`, followed by the names that do not exist
  /// yet: the path that a folder will have when it is created later.
  public static func canonicalPath(_ path: String) -> String {
    if let real = try? realPath(path) { return real }
    let parent = parentFolder(of: path)
    guard parent != path, parent != ".", let name = path.split(separator: "/").last else {
      return path
    }
    let real = canonicalPath(parent)
    return real == "/" ? "/\(name)" : "\(real)/\(name)"
  }

  /// Creates a folder in `$TMPDIR`, or else in `/tmp`, that only this user can enter. Its path contains no
  /// symbolic link.
  public static func temporaryFolder(prefix: String) throws(SystemError) -> String {
    let parent = canonicalPath(
      Machine.environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp")
    var template = Array("\(parent)/\(prefix)-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
    guard made != nil else {
      throw .last("create a folder in", path: parent)
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
