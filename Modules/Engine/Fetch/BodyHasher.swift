import Dispatch
import Glibc
import Hashing
import Models
import SystemCalls

/// SHA-256 of a file while it is written. Short ones are hashed on the spot, while their bytes are in
/// the processor's cache. Of long ones a thread of its own reads back what was written, out of the
/// page cache, so that the transport's thread goes on receiving: 1 GiB takes as long as its receipt.
///
/// Part of the sink. Before `reader` is set, only the transport's thread has the hasher, from then on
/// only the queue; what is handed over goes through the queue.
struct BodyHasher {
  /// So many bytes are hashed on the spot.
  static let onTheSpot: Int64 = 8 << 20
  /// The reader follows in steps of so many.
  private static let step: Int64 = 1 << 20

  private let path: String
  private let hasher: SHA256Hasher
  /// Where the hasher goes when it is not needed any more.
  private let pool: HasherPool
  /// Bytes that the hasher has seen or will have seen when the queue is empty.
  private var asked: Int64
  private var untilReading: Int64
  private var reader: Reader?

  /// - Parameters:
  ///   - prefix: has seen the first bytes of the file, if there are any.
  init(path: String, prefix: PrefixDigest?, pool: HasherPool) {
    self.path = path
    self.pool = pool
    hasher = prefix?.hasher ?? pool.take()
    asked = prefix?.count ?? 0
    untilReading = Self.onTheSpot
  }

  /// The file is written from its beginning.
  mutating func restart() {
    hasher.reset()
    asked = 0
  }

  /// These bytes are in the file, behind all others.
  mutating func note(_ bytes: RawSpan) throws(SystemError) {
    let end = asked + Int64(bytes.byteCount)
    if reader == nil, untilReading > 0 {
      hasher.update(bytes)
      asked = end
      untilReading -= Int64(bytes.byteCount)
      return
    }
    let reader = try opened()
    reader.written += Int64(bytes.byteCount)
    guard reader.written - asked >= Self.step else { return }
    asked = reader.written
    reader.follow(to: asked)
  }

  private mutating func opened() throws(SystemError) -> Reader {
    if let reader { return reader }
    let file = try FileSystem.open(path, followingLinks: false)
    let reader = Reader(file: file, hasher: hasher, position: asked)
    self.reader = reader
    return reader
  }

  /// Gives the digest of the whole file: at once, or on a queue when all of it has been read back.
  /// Nothing is noted any more.
  func finish(_ whenDone: @escaping @Sendable (Result<Digest, SystemError>) -> Void) {
    if let reader { return reader.finish(whenDone) }
    let digest = hasher.finalize()
    pool.put(hasher)
    whenDone(.success(digest))
  }

  /// Reads behind the writer, in order.
  private final class Reader: @unchecked Sendable {
    /// Of the writer's thread.
    var written: Int64

    private let queue = DispatchQueue(label: "imgdl.hash", qos: .utility)
    private let file: OwnedDescriptor
    private let hasher: SHA256Hasher
    private var position: Int64
    private var failure: SystemError?

    init(file: OwnedDescriptor, hasher: SHA256Hasher, position: Int64) {
      self.file = file
      self.hasher = hasher
      self.position = position
      written = position
    }

    func follow(to end: Int64) {
      queue.async { self.read(to: end) }
    }

    func finish(_ whenDone: @escaping @Sendable (Result<Digest, SystemError>) -> Void) {
      let end = written
      queue.async {
        self.read(to: end)
        whenDone(self.failure.map { .failure($0) } ?? .success(self.hasher.finalize()))
      }
    }

    private func read(to end: Int64) {
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 64)
      defer { buffer.deallocate() }
      do throws(SystemError) {
        while failure == nil, position < end {
          let wanted = Int(min(end - position, Int64(buffer.count)))
          let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
          let count = try file.read(into: part, at: position)
          guard count > 0 else {
            throw SystemError(errno: EIO, call: "read back", path: file.path)
          }
          hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
          position += Int64(count)
        }
      } catch {
        failure = error
      }
    }
  }
}
