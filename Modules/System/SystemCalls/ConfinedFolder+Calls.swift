import CLinux
import Glibc

/// The calls of `FileSystem` for paths below the folder. If the last component is a symbolic link, the link
/// itself is renamed, removed or examined.
extension ConfinedFolder {
  public func status(_ path: String) throws(SystemError) -> FileStatus {
    var value = stat()
    _ = try attempt("read the status of", path) {
      fstatat($0.folder.raw, $0.name, &value, AT_SYMLINK_NOFOLLOW)
    }
    return FileStatus(value)
  }

  /// Whether a file, folder or symbolic link of that name exists and its folder is accessible.
  public func exists(_ path: String) -> Bool { (try? status(path)) != nil }

  /// Returns the contents of a small file.
  /// - Throws: `EFBIG` if it has more than `limit` bytes.
  public func contents(of path: String, limit: Int = 1 << 20) throws(SystemError) -> [UInt8] {
    try open(path).remainingBytes(limit: limit)
  }

  /// Removes permissions beyond `mode` from a file or folder. A file of another user, one on a file system that
  /// is read-only or has no permissions, and any other kind of file stay unchanged.
  public func restrictMode(of path: String, to mode: UInt32) throws(SystemError) {
    // The file must not be opened and closed with an ordinary descriptor, because the close would release all
    // record locks (fcntl(2)) of this process on the file, such as those of SQLite. A descriptor of O_PATH
    // has no such effect.
    let named = try walk("change the mode of", path).open(imgdl_o_path() | O_CLOEXEC)
    let status = try named.status()
    // With O_PATH and O_NOFOLLOW a symbolic link is opened itself, so a link must be refused explicitly.
    if status.kind == .link { throw .symbolicLink("change the mode of", path: path) }
    guard status.kind == .file || status.kind == .folder, status.mode & ~mode != 0 else { return }
    do throws(SystemError) {
      _ = try checked("change the mode of", path) {
        chmod("/proc/self/fd/\(named.raw)", mode_t(status.mode & mode))
      }
    } catch {
      guard error.isNotPermitted || error.isReadOnly || error.isMissing || error.isNotSupported
      else { throw error }
    }
  }

  /// Returns the names in a folder, without `.` and `..`, in no particular order.
  public func list(_ path: String) throws(SystemError) -> [FileSystem.Entry] {
    try FileSystem.list(openFolder(path))
  }

  /// Renames a file, replacing any file of the new name.
  public func rename(_ path: String, to new: String) throws(SystemError) {
    try checkRoom(for: .name, at: new)
    let call = "rename \(path) to"
    let source = try openParent(of: path, call)
    let target = try openParent(of: new, call)
    do throws(SystemError) {
      try Self.rename(source, target, call, new)
    } catch {
      guard error.errno == ENOENT, forgetIfRemoved(source) || forgetIfRemoved(target) else {
        throw error
      }
      try Self.rename(openParent(of: path, call), openParent(of: new, call), call, new)
    }
  }

  private static func rename(
    _ source: OpenParent, _ target: OpenParent, _ call: String, _ new: String
  ) throws(SystemError) {
    _ = try checked(call, new) {
      renameat(source.folder.raw, source.name, target.folder.raw, target.name)
    }
  }

  /// Creates a hard link. Fails with `EEXIST` if the name is taken, `EMLINK` if the file has too many links,
  /// `EXDEV` or `EPERM` if links are not supported.
  public func link(_ path: String, to new: String) throws(SystemError) {
    try checkRoom(for: .link, at: new)
    let call = "link \(path) to"
    let source = try openParent(of: path, call)
    _ = try attempt(call, new) {
      linkat(source.folder.raw, source.name, $0.folder.raw, $0.name, 0)
    }
  }

  /// Removes one name of a file or a symbolic link, never its target and never a folder.
  public func remove(_ path: String) throws(SystemError) {
    _ = try attempt("remove", path) { unlinkat($0.folder.raw, $0.name, 0) }
  }

  /// Removes a file; a missing one is not an error.
  public func removeIfExists(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      try remove(path)
    } catch {
      guard error.isMissing else { throw error }
    }
  }

  /// Removes an empty folder.
  public func removeFolder(_ path: String) throws(SystemError) {
    _ = try attempt("remove the folder", path) {
      unlinkat($0.folder.raw, $0.name, AT_REMOVEDIR)
    }
  }

  /// Removes a folder with its contents, or a file. A missing one is not an error.
  public func removeTree(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      let parent = try openParent(of: path, "remove")
      try FileSystem.removeTree(parent.folder.raw, parent.name, path)
    } catch {
      guard error.isMissing else { throw error }
    }
  }

  /// Removes the contents of a folder, or a file or a link of that name. The folder itself stays, so that a
  /// process that writes into it at the same time is not disturbed.
  public func removeContents(of path: String) throws(SystemError) {
    do throws(SystemError) {
      let parent = try openParent(of: path, "remove")
      try FileSystem.removeContents(parent.folder.raw, parent.name, path)
    } catch {
      guard error.isMissing else { throw error }
    }
  }

  /// Creates a folder and its missing parents below the confined folder. An existing folder is not an error.
  /// - Parameter mode: The permissions before the umask.
  public func makeFolders(_ path: String, mode: UInt32 = 0o777) throws(SystemError) {
    guard path != self.path else { return }
    do throws(SystemError) {
      try makeFolder(path, mode)
    } catch {
      guard error.errno == ENOENT else { throw error }
      try makeFolders(FileSystem.parentFolder(of: path), mode: mode)
      try makeFolder(path, mode)
    }
  }

  private func makeFolder(_ path: String, _ mode: UInt32) throws(SystemError) {
    let call = "create the folder"
    try checkRoom(for: .folder, at: path)
    do throws(SystemError) {
      _ = try attempt(call, path) { mkdirat($0.folder.raw, $0.name, mode_t(mode)) }
    } catch {
      guard error.errno == EEXIST else { throw error }
      switch try status(path).kind {
      case .folder: return
      case .link: throw .symbolicLink(call, path: path)
      default: throw error
      }
    }
  }

  /// Renames a file and creates the missing folders of its new name.
  public func moveIntoFolders(_ path: String, to new: String) throws(SystemError) {
    do throws(SystemError) {
      return try rename(path, to: new)
    } catch {
      guard error.isMissing else { throw error }
    }
    try makeFolders(FileSystem.parentFolder(of: new))
    try rename(path, to: new)
  }

  /// Copies a file to a new name.
  /// - Parameters:
  ///   - sharing: Whether the copy may share disk blocks with the original, if the file system supports it.
  ///   - mode: The permissions of the copy, before the umask.
  public func copy(
    _ path: String, to new: String, sharing: Bool = true, mode: UInt32 = 0o666
  ) throws(SystemError) {
    try copy(open(path), to: new, sharing: sharing, mode: mode)
  }

  /// Copies an open file, which may be outside this folder, to a new name.
  public func copy(
    _ file: OwnedDescriptor, to new: String, sharing: Bool = true, mode: UInt32 = 0o666
  ) throws(SystemError) {
    let target = try open(new, .writing, create: .mustNotExist, mode: mode)
    do throws(SystemError) {
      try FileSystem.copyBytes(from: file, to: target, sharing: sharing)
    } catch {
      try? remove(new)
      throw error
    }
  }
}
