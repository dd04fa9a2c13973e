import CLinux
import Glibc

extension OwnedDescriptor {
  public func status() throws(SystemError) -> FileStatus {
    var value = stat()
    _ = try checked("read the status of", path) { fstat(raw, &value) }
    return FileStatus(value)
  }

  /// Sets the permissions, regardless of the umask.
  public func setMode(_ mode: UInt32) throws(SystemError) {
    _ = try checked("change the mode of", path) { fchmod(raw, mode_t(mode)) }
  }

  /// Sets the time of the last modification, in seconds since 1970; that of the last access stays as it is.
  public func setModified(_ seconds: Int64) throws(SystemError) {
    let kept = timespec(tv_sec: 0, tv_nsec: Int((1 << 30) - 2))  // UTIME_OMIT
    var times = [kept, timespec(tv_sec: Int(seconds), tv_nsec: 0)]
    _ = try checked("set the time of", path) { futimens(raw, &times) }
  }

  /// Cuts or extends the file to `length` bytes.
  public func truncate(to length: Int64) throws(SystemError) {
    _ = try checked("truncate", path) { ftruncate(raw, off_t(length)) }
  }

  /// Allocates blocks for the first `length` bytes (`posix_fallocate`), so that writing them cannot fail
  /// because the disk is full.
  public func allocate(_ length: Int64) throws(SystemError) {
    // posix_fallocate returns its error instead of setting errno.
    let code = posix_fallocate(raw, 0, off_t(length))
    if code != 0 { throw SystemError(errno: code, call: "allocate room for", path: path) }
  }

  /// Returns the number of bytes that an unprivileged user can still write on this file system.
  public func freeBytes() throws(SystemError) -> Int64 {
    var value = statvfs()
    _ = try checked("read the status of the file system of", path) { fstatvfs(raw, &value) }
    return Int64(
      clamping: UInt64(value.f_bavail).multipliedFullWidth(by: UInt64(value.f_frsize)).low)
  }

  /// Returns whether the file system has no room for further files, whatever its free bytes; false if it does not limit
  /// their number.
  public func hasNoFreeFiles() throws(SystemError) -> Bool {
    var value = statvfs()
    _ = try checked("read the status of the file system of", path) { fstatvfs(raw, &value) }
    return value.f_files > 0 && value.f_favail == 0
  }

  /// Deallocates the blocks of a range, which then reads as zeros. Does nothing if the file system does not
  /// support it.
  public func releaseBlocks(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    _ = imgdl_punch_hole(raw, off_t(range.lowerBound), off_t(range.upperBound - range.lowerBound))
  }

  /// Allocates disk blocks for a range (`posix_fallocate`). Fails if the disk has too little space.
  public func reserve(_ byteCount: Int64, at offset: Int64) throws(SystemError) {
    let code = posix_fallocate(raw, off_t(offset), off_t(byteCount))
    guard code == 0 else { throw SystemError(errno: code, call: "reserve room in", path: path) }
  }

  /// Writes the data and metadata of the file to the disk (`fsync`). After an error the data must be written
  /// again, because a second `sync()` may succeed without having written it.
  public func sync() throws(SystemError) {
    _ = try checked("sync", path) { fsync(raw) }
  }

  /// Writes the data and the length of the file to the disk (`fdatasync`).
  public func syncData() throws(SystemError) {
    _ = try checked("sync", path) { fdatasync(raw) }
  }

  /// Writes the whole file system of this file or folder to the disk (`syncfs`).
  public func syncFileSystem() throws(SystemError) {
    _ = try checked("sync the file system of", path) { imgdl_syncfs(raw) }
  }

  /// Returns whether another open file holds the exclusive lock (`flock`) of this file. If none does, the call takes
  /// a shared lock and releases it at once.
  public func isLocked() throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try checked("lock", path) { flock(raw, LOCK_SH | LOCK_NB) }
      _ = flock(raw, LOCK_UN)
      return false
    } catch  where error.errno == EWOULDBLOCK {
      return true
    } catch {
      throw error
    }
  }

  /// Takes the exclusive lock of the open file (`flock`) without waiting. The lock ends with the last
  /// descriptor of that open file.
  /// - Returns: false if another open file holds the lock.
  public func tryLock() throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try checked("lock", path) { flock(raw, LOCK_EX | LOCK_NB) }
      return true
    } catch  where error.errno == EWOULDBLOCK {
      return false
    } catch {
      throw error
    }
  }
}
