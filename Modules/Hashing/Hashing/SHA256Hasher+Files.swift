import Glibc
public import Models

/// The reason why a file could not be hashed.
public struct HashingError: Error, Sendable, Equatable, CustomStringConvertible {
  public let path: String
  /// The `errno` of the failed call; `EINVAL` if the path is not a regular file.
  public let systemError: Int32

  public var description: String {
    let cause =
      systemError == EINVAL ? "not a regular file" : String(cString: strerror(systemError))
    return "\(path): cannot be read: \(cause)"
  }
}

extension SHA256Hasher {
  /// Hashes a regular file, 256 KiB at a time. Blocks.
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
