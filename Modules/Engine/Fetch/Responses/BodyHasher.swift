import Hashing
import Models
import SystemCalls

/// Computes the SHA-256 of a body while it is written to a file. Short bodies are hashed on the calling thread, while
/// their bytes are in the processor's cache. Long ones are read from the file by a `FrontierHasher` while the
/// transport's thread continues to receive, so that the times of receiving and hashing do not add up.
///
/// Part of a `FileSink`, which only one thread uses at a time.
struct BodyHasher {
  /// The number of bytes of a body that are hashed on the calling thread.
  static let maximumInlineBytes: Int64 = 8 << 20

  private let hasher: SHA256Hasher
  /// The pool to which the hasher is returned when it is no longer needed.
  private let pool: HasherPool
  private var remainingInlineBytes = BodyHasher.maximumInlineBytes
  private var follower: FrontierHasher?

  /// - Parameter prefix: The digest of the existing bytes of the file, if there are any.
  init(prefix: PrefixDigest?, pool: HasherPool) {
    self.pool = pool
    hasher = prefix?.hasher ?? pool.acquire()
  }

  /// Restarts the digest, because the file is written from its beginning. Must be called before `append`.
  mutating func restart() { hasher.reset() }

  /// Adds the next bytes of the body, which the file contains already.
  /// - Parameters:
  ///   - count: The length of the file in bytes, these bytes included.
  ///   - open: Opens the file for reading when the body turns out to be long; returns nil if the calling thread is to
  ///     hash all of it.
  mutating func append(
    _ bytes: RawSpan, upTo count: Int64,
    opening open: () throws(SystemError) -> OwnedDescriptor?
  ) throws(SystemError) {
    if let follower { return follower.advance(to: count) }
    if remainingInlineBytes <= 0 {
      if let file = try open() {
        return follow(file, from: count &- Int64(bytes.byteCount)).advance(to: count)
      }
      remainingInlineBytes = .max
    }
    remainingInlineBytes &-= Int64(bytes.byteCount)
    hasher.update(bytes)
  }

  /// Returns the hasher that reads the file from `count` bytes on, to which all bytes so far were added. `append` must
  /// not be called afterwards.
  mutating func follower(
    from count: Int64, opening open: () throws(SystemError) -> OwnedDescriptor
  ) throws(SystemError) -> FrontierHasher {
    if let follower { return follower }
    return follow(try open(), from: count)
  }

  private mutating func follow(_ file: OwnedDescriptor, from count: Int64) -> FrontierHasher {
    let follower = FrontierHasher(file, hasher, from: count)
    self.follower = follower
    return follower
  }

  /// Reports the hasher of all bytes, which were added before: at once, or on a queue after they have been read.
  /// - Parameter count: The length of the file in bytes.
  func passOn(
    _ count: Int64, _ whenDone: @escaping @Sendable (Result<SHA256Hasher, SystemError>) -> Void
  ) {
    if let follower { return follower.finish(count, whenDone) }
    whenDone(.success(hasher))
  }

  /// Reports the digest of the whole file: at once, or on a queue after all bytes have been read. Never blocks.
  /// `append` must not be called afterwards.
  /// - Parameter count: The length of the file in bytes.
  func finalize(
    _ count: Int64, _ whenDone: @escaping @Sendable (Result<Digest, SystemError>) -> Void
  ) {
    if let follower {
      return follower.finish(count) { whenDone($0.map { $0.finalize() }) }
    }
    let digest = hasher.finalize()
    pool.release(hasher)
    whenDone(.success(digest))
  }
}
