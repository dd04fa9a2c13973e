import CLinux
import Glibc

extension FileSystem {
  /// Returns the contents of a small file.
  /// - Throws: `EFBIG` if it has more than `limit` bytes.
  public static func contents(of path: String, limit: Int = 1 << 20) throws(SystemError) -> [UInt8]
  {
    try open(path).remainingBytes(limit: limit)
  }

  /// Replaces a small file atomically: readers see either the old or the new contents. A device, a pipe or a socket is
  /// not replaced.
  /// - Parameter syncing: Whether the new contents survive a power cut after the return.
  public static func replace(
    _ path: String, with bytes: RawSpan, mode: UInt32 = 0o666, syncing: Bool = true
  ) throws(SystemError) {
    switch (try? status(path, followingLinks: false))?.kind {
    case .device, .pipe, .socket:
      throw SystemError(
        errno: EINVAL, call: "replace", path: path, explanation: "not a regular file")
    default: break
    }
    let folder = parentFolder(of: path)
    let temporary = folder + "/" + temporaryName()
    do throws(SystemError) {
      let file = try open(temporary, .writing, create: .mustNotExist, mode: mode)
      try file.write(all: bytes)
      if syncing { try file.sync() }
      try rename(temporary, to: path)
    } catch {
      unlink(temporary)
      // The error names the file that the caller asked for instead of the temporary one.
      throw SystemError(errno: error.errno, call: "write", path: path)
    }
    if syncing { try openFolder(folder).sync() }
  }

  public static func replace(
    _ path: String, with text: String, mode: UInt32 = 0o666, syncing: Bool = true
  ) throws(SystemError) {
    try replace(path, with: Array(text.utf8).span.bytes, mode: mode, syncing: syncing)
  }

  /// Copies a file to a new name. The path must not contain a symbolic link.
  /// - Parameter sharing: Whether the copy may share disk blocks with the original, if the file
  ///   system supports it.
  public static func copy(
    _ path: String, to new: String, sharing: Bool = true
  ) throws(SystemError) {
    let source = try open(path, followingLinks: false)
    let target = try open(new, .writing, create: .mustNotExist)
    do throws(SystemError) {
      try copyBytes(from: source, to: target, sharing: sharing)
    } catch {
      unlink(new)
      throw error
    }
  }

  static func copyBytes(
    from source: OwnedDescriptor, to target: OwnedDescriptor, sharing: Bool
  ) throws(SystemError) {
    while sharing {
      let count = imgdl_copy_file_range(source.raw, target.raw, 1 << 30)
      if count == 0 { return }
      if count > 0 || errno == EINTR { continue }
      guard errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP else {
        throw .last("copy to", path: target.path)
      }
      break
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try source.read(into: buffer)
      if count == 0 { return }
      try target.write(all: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
