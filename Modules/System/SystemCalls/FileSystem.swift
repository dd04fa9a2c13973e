import CLinux
import Glibc

/// System calls on paths. Each function makes one or two system calls and throws failures as `SystemError`.
public enum FileSystem {
  public enum Access: Sendable {
    case reading, writing, readingAndWriting, appending

    var flags: Int32 {
      switch self {
      case .reading: O_RDONLY
      case .writing: O_WRONLY
      case .readingAndWriting: O_RDWR
      case .appending: O_WRONLY | O_APPEND
      }
    }
  }

  public enum Creation: Sendable {
    case never, ifMissing, mustNotExist
    /// A missing file is created; an existing file is truncated.
    case replacing

    var flags: Int32 {
      switch self {
      case .never: 0
      case .ifMissing: O_CREAT
      case .mustNotExist: O_CREAT | O_EXCL
      case .replacing: O_CREAT | O_TRUNC
      }
    }
  }

  /// Opens a file. Opening never blocks: a FIFO without a reader cannot be opened for writing, and one
  /// without a writer reads as empty.
  /// - Parameters:
  ///   - mode: The permissions of a new file, before the umask.
  ///   - followingLinks: If false, neither the file nor a folder of the path may be a symbolic link.
  public static func open(
    _ path: String, _ access: Access = .reading, create: Creation = .never, mode: UInt32 = 0o666,
    followingLinks: Bool = true
  ) throws(SystemError) -> OwnedDescriptor {
    let flags = openFlags(access, create)
    let verb = create == .never ? "open" : "create"
    if !followingLinks {
      return try PathWalk(verb, path).open(flags, mode: mode)
    }
    // `withCString` avoids the copy that passing the string as an argument would make.
    let raw = try checked(verb, path) {
      path.withCString { Glibc.open($0, flags, mode_t(mode)) }
    }
    return OwnedDescriptor(raw, path: path)
  }

  static func openFlags(_ access: Access, _ create: Creation) -> Int32 {
    access.flags | create.flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
  }

  /// - Parameter followingLinks: If false, no folder of the path may be a symbolic link.
  public static func openFolder(
    _ path: String, followingLinks: Bool = true
  ) throws(SystemError) -> OwnedDescriptor {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    if !followingLinks { return try PathWalk("open", path).open(flags) }
    return OwnedDescriptor(
      try checked("open", path) { Glibc.open(path, flags) }, path: path)
  }

  /// Opens an unnamed file in `folder` for reading and writing, which disappears when it is closed. The
  /// folder must not be reached through a symbolic link.
  public static func unnamedFile(in folder: String) throws(SystemError) -> OwnedDescriptor {
    let flags = imgdl_o_tmpfile() | O_RDWR | O_CLOEXEC
    do throws(SystemError) {
      return try PathWalk("create a file in", folder).open(flags, mode: 0o600)
    } catch  where error.errno == EOPNOTSUPP || error.errno == EISDIR || error.errno == EINVAL {
      // Some network and overlay file systems do not support O_TMPFILE.
      let path = folder + "/" + temporaryName()
      let file = try open(
        path, .readingAndWriting, create: .mustNotExist, mode: 0o600, followingLinks: false)
      try ConfinedFolder(folder).remove(path)
      return file
    } catch {
      throw error
    }
  }

  public static func status(
    _ path: String, followingLinks: Bool = true
  ) throws(SystemError) -> FileStatus {
    var value = stat()
    _ = try checked("read the status of", path) {
      followingLinks ? stat(path, &value) : lstat(path, &value)
    }
    return FileStatus(value)
  }

  /// Returns the target of a symbolic link, which need not exist.
  public static func linkTarget(_ path: String) throws(SystemError) -> String {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = try checked("read the link", path) { readlink(path, &buffer, buffer.count) }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  /// Whether a file of that name exists and is reachable.
  public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  public static func isExecutable(_ path: String) -> Bool {
    guard access(path, X_OK) == 0, let status = try? status(path) else { return false }
    return status.kind == .file
  }

  /// Renames a file, replacing any file of the new name.
  public static func rename(_ path: String, to new: String) throws(SystemError) {
    _ = try checked("rename \(path) to", new) { Glibc.rename(path, new) }
  }

  /// Renames a file between open folders, which saves the kernel the resolution of whole paths.
  public static func rename(
    _ name: String, in folder: OwnedDescriptor, to new: String, in other: OwnedDescriptor
  ) throws(SystemError) {
    _ = try checked("rename a file to", new) {
      name.withCString { name in
        new.withCString { renameat(folder.raw, name, other.raw, $0) }
      }
    }
  }

  /// Creates a hard link. Fails with `EEXIST` if the name is taken, `EMLINK` if the file has too many links,
  /// `EXDEV` or `EPERM` if links are not supported.
  public static func link(_ path: String, to new: String) throws(SystemError) {
    _ = try checked("link \(path) to", new) { Glibc.link(path, new) }
  }

  /// Removes one name of a file or a symbolic link, never its target and never a folder.
  public static func remove(_ path: String) throws(SystemError) {
    _ = try checked("remove", path) { unlink(path) }
  }

  static func temporaryName() -> String {
    ".tmp-" + String(UInt64.random(in: .min ... .max), radix: 16)
  }
}
