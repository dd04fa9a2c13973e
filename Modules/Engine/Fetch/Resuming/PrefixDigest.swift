import Hashing
import Models
import SystemCalls
import Threading

/// The content of a partial file: its length, its first bytes, and a hasher that has processed all of it.
///
/// @unchecked Sendable: created on one thread and then handed to one sink, its only user from then on.
final class PrefixDigest: @unchecked Sendable {
  let hasher: SHA256Hasher
  private(set) var count: Int64 = 0
  private(set) var head: [UInt8] = []

  /// - Parameters:
  ///   - hasher: A hasher that has processed the first `count` bytes of the file, and has no other user.
  ///   - head: The first bytes of the file, as many as are needed to recognise its format.
  init(_ hasher: SHA256Hasher, count: Int64, head: [UInt8]) {
    (self.hasher, self.count, self.head) = (hasher, count, head)
  }

  /// Reads and hashes the file. Blocks.
  /// - Parameter limit: The number of bytes to read, nil for all; bytes beyond the limit may be damaged.
  /// - Throws: `SystemError`, `CancellationError`.
  init(of file: OwnedDescriptor, atMost limit: Int64?, _ isCancelled: CancellationFlag? = nil)
    throws
  {
    hasher = SHA256Hasher()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var left = limit ?? .max
    while left > 0 {
      try isCancelled?.check()
      let wanted = Int(min(left, Int64(buffer.count)))
      let read = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
      if read == 0 { return }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<read])
      hasher.update(bytes.bytes)
      if head.count < ResourceFormat.sniffLength {
        head += bytes.prefix(ResourceFormat.sniffLength - head.count)
      }
      count += Int64(read)
      left -= Int64(read)
    }
  }
}
