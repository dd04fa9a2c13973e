import CLinux
import Glibc

/// The calls of `FileSystem`, for what is below a folder. Where the last component is a symbolic
/// link, it is the link that is renamed, removed or looked at.
extension ConfinedFolder {
  public func status(_ path: String) throws(SystemError) -> FileStatus {
    var value = stat()
    _ = try attempt("read the status of", path) {
      fstatat($0.folder.raw, $0.name, &value, AT_SYMLINK_NOFOLLOW)
    }
    return FileStatus(value)
  }

  /// Whether there is something of that name, a symbolic link too, in a folder that can be reached.
  public func exists(_ path: String) -> Bool { (try? status(path)) != nil }

  /// The whole of a small file.
  /// - Throws: `EFBIG` when it has more than `limit` bytes.
  public func contents(of path: String, limit: Int = 1 << 20) throws(SystemError) -> [UInt8] {
    try open(path).remainingBytes(limit: limit)
  }

  /// Takes permissions away from a file or folder that has more than these. One of another user, or
  /// on a read-only file system, stays as it is; so does what is neither file nor folder.
  public func restrictMode(of path: String, to mode: UInt32) throws(SystemError) {
    // A descriptor of a file itself must not be closed here: with it every record lock (fcntl(2))
    // would end that SQLite has in this process. One that only names the file has no such effect.
    let named = try walk("change the mode of", path).open(imgdl_o_path() | O_CLOEXEC)
    let status = try named.status()
    // O_PATH opens a symbolic link itself, so a link has to be refused here.
    if status.kind == .link { throw .symbolicLink("change the mode of", path: path) }
    guard status.kind == .file || status.kind == .folder, status.mode & ~mode != 0 else { return }
    do throws(SystemError) {
      _ = try checked("change the mode of", path) {
        chmod("/proc/self/fd/\(named.raw)", mode_t(status.mode & mode))
      }
    } catch {
      guard error.isNotPermitted || error.isReadOnly || error.isMissing else { throw error }
    }
  }

  /// Names in a folder, without `.` and `..`, in no order.
  public func list(_ path: String) throws(SystemError) -> [FileSystem.Entry] {
    try FileSystem.list(openFolder(path))
  }

  /// Gives a file a new name, in place of whatever has that name.
  public func rename(_ path: String, to new: String) throws(SystemError) {
    let call = "rename \(path) to"
    let source = try place(of: path, call)
    let target = try place(of: new, call)
    do throws(SystemError) {
      try Self.rename(source, target, call, new)
    } catch {
      guard error.errno == ENOENT, forgetIfRemoved(source) || forgetIfRemoved(target) else {
        throw error
      }
      try Self.rename(place(of: path, call), place(of: new, call), call, new)
    }
  }

  private static func rename(
    _ source: Place, _ target: Place, _ call: String, _ new: String
  ) throws(SystemError) {
    _ = try checked(call, new) {
      renameat(source.folder.raw, source.name, target.folder.raw, target.name)
    }
  }

  /// Gives a file a second name. Fails with `EEXIST` when the name is taken, `EMLINK` when the
  /// file has too many, `EXDEV` or `EPERM` where links do not work.
  public func link(_ path: String, to new: String) throws(SystemError) {
    let call = "link \(path) to"
    let source = try place(of: path, call)
    _ = try attempt(call, new) {
      linkat(source.folder.raw, source.name, $0.folder.raw, $0.name, 0)
    }
  }

  /// Removes one name of a file, or a link; never what it points to, never a folder.
  public func remove(_ path: String) throws(SystemError) {
    _ = try attempt("remove", path) { unlinkat($0.folder.raw, $0.name, 0) }
  }

  /// Removes a file; one that is missing is fine.
  public func removeIfThere(_ path: String) throws(SystemError) {
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

  /// Removes a folder and everything in it, or one file. What is missing already is fine.
  public func removeTree(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      let place = try place(of: path, "remove")
      try FileSystem.removeTree(place.folder.raw, place.name, path)
    } catch {
      guard error.isMissing else { throw error }
    }
  }

  /// Removes everything that is in a folder, and a file or a link that is in its place. The folder
  /// stays, as in `FileSystem.removeContents`.
  public func removeContents(of path: String) throws(SystemError) {
    do throws(SystemError) {
      let place = try place(of: path, "remove")
      try FileSystem.removeContents(place.folder.raw, place.name, path)
    } catch {
      guard error.isMissing else { throw error }
    }
  }

  /// Makes a folder and those above it, up to this one. One that exists already is fine.
  /// - Parameter mode: permissions before the umask.
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

  /// Renames a file; the folders of its new name are made if they are missing.
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
  ///   - sharing: whether blocks may be shared where the file system can.
  ///   - mode: permissions of the copy, before the umask.
  public func copy(
    _ path: String, to new: String, sharing: Bool = true, mode: UInt32 = 0o666
  ) throws(SystemError) {
    try copy(open(path), to: new, sharing: sharing, mode: mode)
  }

  /// Copies an open file, which may be of another place, to a new name.
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
