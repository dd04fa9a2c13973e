import Glibc
public import Models

/// Why a file could not be hashed.
public struct HashingError: Error, Sendable, Equatable, CustomStringConvertible {
  public let path: String
  /// The `errno` of the call that failed; `EINVAL` for what is not a regular file.
  public let systemError: Int32

  public var description: String {
    let cause =
      systemError == EINVAL ? "not a regular file" : String(cString: strerror(systemError))
    return "\(path): cannot be read: \(cause)"
  }
}

extension SHA256Hasher {
  /// Reads a regular file from its beginning to its end, 256 KiB at a time. Blocks: call it where
  /// blocking is allowed.
  public static func hash(file path: String) throws(HashingError) -> Digest {
    // Without O_NONBLOCK the open of a FIFO would wait for a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw HashingError(path: path, systemError: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw HashingError(path: path, systemError: errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw HashingError(path: path, systemError: EINVAL)
    }
    let hasher = SHA256Hasher()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 64)
    defer { buffer.deallocate() }
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count == 0 { return hasher.finalize() }
      if count < 0 {
        if errno == EINTR { continue }
        throw HashingError(path: path, systemError: errno)
      }
      hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
