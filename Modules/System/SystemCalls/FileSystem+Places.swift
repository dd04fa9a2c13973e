import Glibc

extension FileSystem {
  /// The folder that relative paths begin at; `/` if it is gone.
  public static var workingFolder: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }

  /// The absolute path without links, `.` and `..`. The file must exist.
  public static func realPath(_ path: String) throws(SystemError) -> String {
    guard let real = realpath(path, nil) else { throw .last("open", path: path) }
    defer { free(real) }
    return String(cString: real)
  }

  /// A new folder in `$TMPDIR`, else `/tmp`, that only this user can enter.
  public static func temporaryFolder(prefix: String) throws(SystemError) -> String {
    let parent = Machine.environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(parent)/\(prefix)-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
    guard made != nil else {
      throw .last("create a folder in", path: parent)
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
