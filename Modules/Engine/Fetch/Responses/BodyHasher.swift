import Dispatch
import Hashing
import Models
import Synchronization

/// Computes the SHA-256 of a body while it is written. Short bodies are hashed on the calling thread, while
/// their bytes are in the processor's cache. Of long bodies, a queue hashes copies while the transport's
/// thread continues to receive, so that the times of receiving and hashing do not add up.
///
/// Part of a `FileSink`, which only one thread uses at a time.
struct BodyHasher {
  /// The number of bytes of a body that are hashed on the calling thread. If too many long bodies are being
  /// received, that thread hashes the whole body.
  static let maximumInlineBytes: Int64 = 8 << 20

  private let hasher: SHA256Hasher
  /// The pool to which the hasher is returned when it is no longer needed.
  private let pool: HasherPool
  private var remainingInlineBytes = BodyHasher.maximumInlineBytes
  /// A chunk that is not yet full.
  private var chunk: Chunk?
  private var follower: Follower?

  /// - Parameter prefix: The digest of the existing bytes of the file, if there are any.
  init(prefix: PrefixDigest?, pool: HasherPool) {
    self.pool = pool
    hasher = prefix?.hasher ?? pool.acquire()
  }

  /// Restarts the digest, because the file is written from its beginning. Must be called before `append`.
  mutating func restart() { hasher.reset() }

  /// Adds the next bytes of the body. Blocks while too many chunks of all bodies are queued.
  mutating func append(_ bytes: RawSpan) {
    if remainingInlineBytes <= 0, follower == nil { follower = Follower.ifThereIsRoom(hasher) }
    guard let follower else {
      remainingInlineBytes -= Int64(bytes.byteCount)
      return hasher.update(bytes)
    }
    var rest = bytes
    while rest.byteCount > 0 {
      let chunk = self.chunk ?? Chunk.obtain()
      let count = chunk.append(rest)
      rest = rest.extracting(droppingFirst: count)
      self.chunk = chunk.isFull ? nil : chunk
      if chunk.isFull { follower.enqueue(chunk) }
    }
  }

  /// Passes the digest state of all bytes so far to `next`: at once, or on a queue after all of them have been
  /// hashed. `append` must not be called afterwards.
  mutating func handOver(to next: FrontierHasher) {
    if let follower { return follower.handOver(chunk, to: next) }
    next.begin(hasher)
  }

  /// Reports the hasher of all bytes so far: at once, or on a queue after all of them have been hashed. `append` must
  /// not be called afterwards.
  mutating func passOn(_ whenDone: @escaping @Sendable (SHA256Hasher) -> Void) {
    if let follower { return follower.passOn(chunk, whenDone) }
    whenDone(hasher)
  }

  /// Reports the digest of the whole file: at once, or on a queue after all bytes have been hashed. Never
  /// blocks. `append` must not be called afterwards.
  mutating func finalize(_ whenDone: @escaping @Sendable (Digest) -> Void) {
    if let follower { return follower.hashLast(with: chunk, whenDone) }
    let digest = hasher.finalize()
    pool.release(hasher)
    whenDone(digest)
  }
}

/// Hashes the chunks of one body in order, on a queue.
///
/// @unchecked Sendable: only the queue uses the hasher.
private final class Follower: @unchecked Sendable {
  /// The largest number of followers. Each may hold a chunk that is not full, 16 MiB in total.
  private static let limit = 32
  private static let count = Atomic<Int>(0)

  private let queue = DispatchQueue(label: "imgdl.hash", qos: .utility)
  private let hasher: SHA256Hasher

  private init(_ hasher: SHA256Hasher) { self.hasher = hasher }

  /// Returns a new follower, or nil if there are too many.
  static func ifThereIsRoom(_ hasher: SHA256Hasher) -> Follower? {
    guard count.add(1, ordering: .relaxed).newValue <= limit else {
      count.subtract(1, ordering: .relaxed)
      return nil
    }
    return Follower(hasher)
  }

  deinit { Self.count.subtract(1, ordering: .relaxed) }

  /// Queues a chunk. Blocks while too many chunks of all bodies are queued.
  func enqueue(_ chunk: Chunk) {
    Chunk.waiting.wait()
    queue.async {
      chunk.forEachNearPart { self.hasher.update($0) }
      chunk.returnToPool()
      Chunk.waiting.signal()
    }
  }

  /// Hashes the last, partly filled chunk and passes the digest state on.
  func handOver(_ last: Chunk?, to next: FrontierHasher) {
    queue.async {
      last?.forEachNearPart { self.hasher.update($0) }
      last?.returnToPool()
      next.begin(self.hasher)
    }
  }

  /// Hashes the last, partly filled chunk and reports the hasher, which the follower no longer uses.
  func passOn(_ last: Chunk?, _ whenDone: @escaping @Sendable (SHA256Hasher) -> Void) {
    queue.async {
      last?.forEachNearPart { self.hasher.update($0) }
      last?.returnToPool()
      whenDone(self.hasher)
    }
  }

  /// Hashes the last, partly filled chunk and reports the digest. The chunk does not count as one of the
  /// queued chunks, since each body has at most one.
  func hashLast(with last: Chunk?, _ whenDone: @escaping @Sendable (Digest) -> Void) {
    queue.async {
      last?.forEachNearPart { self.hasher.update($0) }
      last?.returnToPool()
      whenDone(self.hasher.finalize())
    }
  }
}

/// A buffer of bytes on their way to the hashing thread.
///
/// @unchecked Sendable: the thread that fills a chunk hands it over and keeps no reference.
private final class Chunk: @unchecked Sendable {
  static let size = 512 << 10
  /// The number of full chunks of all bodies that may be queued. Partly filled chunks are not counted, so a
  /// body that receives no bytes does not block the others.
  static let waiting = DispatchSemaphore(value: 4)

  /// Chunks for reuse. An allocator that allocates and frees half a megabyte thousands of times per second
  /// on two threads retains ten times the memory in use.
  private static let empty = Mutex<[Chunk]>([])

  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
  private var count = 0

  deinit { memory.deallocate() }

  static func obtain() -> Chunk { empty.withLock { $0.popLast() } ?? Chunk() }

  /// Returns the chunk for reuse; the caller must not use it afterwards.
  func returnToPool() {
    count = 0
    Self.empty.withLock { if $0.count < 8 { $0.append(self) } }
  }

  var isFull: Bool { count == memory.count }

  /// Copies as many bytes as the chunk has room for, and returns their number.
  func append(_ bytes: RawSpan) -> Int {
    let part = bytes.extracting(first: memory.count - count)
    part.withUnsafeBytes { memory[count...].copyBytes(from: $0) }
    count += part.byteCount
    return part.byteCount
  }

  /// Calls `body` with all bytes in parts, each copied to memory near this core: SHA-256 reads 64 bytes at
  /// a time, and every read would otherwise come from the cache of the core that wrote the bytes.
  func forEachNearPart(_ body: (UnsafeRawBufferPointer) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 64) { near in
      var rest = memory[..<count]
      while !rest.isEmpty {
        let part = rest.prefix(near.count)
        near.copyBytes(from: part)
        body(UnsafeRawBufferPointer(rebasing: near[..<part.count]))
        rest = rest.dropFirst(part.count)
      }
    }
  }
}
