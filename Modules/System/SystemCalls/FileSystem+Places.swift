import Glibc

extension FileSystem {
  /// The working folder, or `/` if it was removed.
  public static var workingFolder: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
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
