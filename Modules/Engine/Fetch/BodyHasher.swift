import Dispatch
import Hashing
import Models
import Synchronization

/// SHA-256 of a body while it is written. Short ones are hashed on the spot, while their bytes are in
/// the processor's cache. Of long ones a thread of its own hashes copies, so that the transport's
/// thread continues receiving: 1 GiB takes as long as the longer of the two, not as both.
///
/// Part of the sink, which one thread has at a time.
struct BodyHasher {
  /// So many bytes are hashed on the spot, and all of a body that is one of too many long ones.
  static let onTheSpot: Int64 = 8 << 20

  private let hasher: SHA256Hasher
  /// Where the hasher goes when it is not needed any more.
  private let pool: HasherPool
  private var untilCopying = BodyHasher.onTheSpot
  /// Not full, and not handed over yet.
  private var chunk: Chunk?
  private var follower: Follower?

  /// - Parameter prefix: has seen the first bytes of the file, if there are any.
  init(prefix: PrefixDigest?, pool: HasherPool) {
    self.pool = pool
    hasher = prefix?.hasher ?? pool.take()
  }

  /// The file is written from its beginning. Before anything is noted.
  mutating func restart() { hasher.reset() }

  /// These bytes are behind all others. Blocks while too many of all bodies wait for their turn.
  mutating func note(_ bytes: RawSpan) {
    if untilCopying <= 0, follower == nil { follower = Follower.ifThereIsRoom(hasher) }
    guard let follower else {
      untilCopying -= Int64(bytes.byteCount)
      return hasher.update(bytes)
    }
    var rest = bytes
    while rest.byteCount > 0 {
      let chunk = self.chunk ?? Chunk.take()
      let count = chunk.append(rest)
      rest = rest.extracting(droppingFirst: count)
      self.chunk = chunk.isFull ? nil : chunk
      if chunk.isFull { follower.take(chunk) }
    }
  }

  /// Gives the digest of the whole file: at once, or on a queue when all of it has been hashed. Never
  /// blocks. Nothing is noted any more.
  mutating func finish(_ whenDone: @escaping @Sendable (Digest) -> Void) {
    if let follower { return follower.finish(with: chunk, whenDone) }
    let digest = hasher.finalize()
    pool.put(hasher)
    whenDone(digest)
  }
}

/// Hashes chunks one after the other, on a queue.
///
/// @unchecked Sendable: only the queue uses the hasher.
private final class Follower: @unchecked Sendable {
  /// Each may hold a chunk that is not full: 16 MiB in all, however many bodies there are.
  private static let limit = 32
  private static let count = Atomic<Int>(0)

  private let queue = DispatchQueue(label: "imgdl.hash", qos: .utility)
  private let hasher: SHA256Hasher

  private init(_ hasher: SHA256Hasher) { self.hasher = hasher }

  /// nil if there are enough of them.
  static func ifThereIsRoom(_ hasher: SHA256Hasher) -> Follower? {
    guard count.add(1, ordering: .relaxed).newValue <= limit else {
      count.subtract(1, ordering: .relaxed)
      return nil
    }
    return Follower(hasher)
  }

  deinit { Self.count.subtract(1, ordering: .relaxed) }

  /// Blocks while too many chunks of all bodies wait for their turn.
  func take(_ chunk: Chunk) {
    Chunk.waiting.wait()
    queue.async {
      chunk.forEachNearPart { self.hasher.update($0) }
      chunk.giveBack()
      Chunk.waiting.signal()
    }
  }

  /// - Parameter last: what is left; it needs no turn, since there is one of a body at most.
  func finish(with last: Chunk?, _ whenDone: @escaping @Sendable (Digest) -> Void) {
    queue.async {
      last?.forEachNearPart { self.hasher.update($0) }
      last?.giveBack()
      whenDone(self.hasher.finalize())
    }
  }
}

/// Bytes on their way to the thread that hashes them.
///
/// @unchecked Sendable: who has filled it hands it over and keeps nothing.
private final class Chunk: @unchecked Sendable {
  static let size = 512 << 10
  /// Full ones of all bodies that may wait for their turn. What a body has begun to fill does not count:
  /// no body ever waits for another one's bytes to come.
  static let waiting = DispatchSemaphore(value: 4)

  /// For the next ones: an allocator that gives and takes half a megabyte thousands of times per second, on
  /// two threads, keeps ten times what is in use.
  private static let empty = Mutex<[Chunk]>([])

  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
  private var count = 0

  deinit { memory.deallocate() }

  static func take() -> Chunk { empty.withLock { $0.popLast() } ?? Chunk() }

  /// The caller does not use it any more.
  func giveBack() {
    count = 0
    Self.empty.withLock { if $0.count < 8 { $0.append(self) } }
  }

  var isFull: Bool { count == memory.count }

  /// Takes what has room; returns how much that is.
  func append(_ bytes: RawSpan) -> Int {
    let part = bytes.extracting(first: memory.count - count)
    part.withUnsafeBytes { memory[count...].copyBytes(from: $0) }
    count += part.byteCount
    return part.byteCount
  }

  /// Shows all bytes, copied to where this thread's core has them at hand: SHA-256 requests 64 at a
  /// time, and each of them would come out of the cache of the core that wrote them.
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
