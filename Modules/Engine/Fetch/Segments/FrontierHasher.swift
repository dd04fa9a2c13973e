import Dispatch
import Glibc
import Hashing
import Models
import Synchronization
import SystemCalls

/// Computes the SHA-256 of a file whose parts arrive out of order: reads the received prefix from the file, and
/// follows it on a queue while the prefix grows. The bytes are usually still in the page cache.
///
/// @unchecked Sendable: only the queue uses `hasher`, `hashed` and `failure`; the mutex guards the rest.
final class FrontierHasher: @unchecked Sendable {
  private struct State {
    var frontier: Int64
    var isScheduled = false
    var isAbandoned = false
  }

  /// The growth of the prefix, in bytes, that is worth a turn of the queue.
  private static let stepBytes: Int64 = 4 << 20

  private let file: OwnedDescriptor
  private let queue = DispatchQueue(
    label: "imgdl.hash", qos: .utility, attributes: .initiallyInactive)
  private let state: Mutex<State>
  private var hasher: SHA256Hasher?
  private var hashed: Int64
  private var failure: SystemError?

  /// Creates a hasher that waits for `begin`, which must be called.
  /// - Parameters:
  ///   - file: The file, open for reading.
  ///   - start: The number of bytes that the digest state of `begin` has processed.
  init(_ file: OwnedDescriptor, from start: Int64) {
    self.file = file
    hashed = start
    state = Mutex(State(frontier: start))
  }

  /// Provides the digest state of the first bytes. Must be called once.
  func begin(_ hasher: SHA256Hasher) {
    self.hasher = hasher
    queue.activate()
  }

  /// Reports the length of the received prefix in bytes. Never blocks.
  func advance(to frontier: Int64) {
    let isDue = state.withLock { state in
      guard frontier &- state.frontier >= Self.stepBytes else { return false }
      state.frontier = frontier
      guard !state.isScheduled else { return false }
      state.isScheduled = true
      return true
    }
    if isDue { queue.async { self.follow() } }
  }

  /// Stops reading, because the file will not be completed by this attempt.
  func abandon() { state.withLock { $0.isAbandoned = true } }

  /// Reports the digest of the first `total` bytes, or the error of the file, after all of them were read.
  func finish(
    _ total: Int64, _ whenDone: @escaping @Sendable (Result<Digest, SystemError>) -> Void
  ) {
    queue.async {
      self.hash(upTo: total)
      guard let hasher = self.hasher, self.failure == nil else {
        let error = self.failure ?? SystemError(errno: EIO, call: "read", path: self.file.path)
        return whenDone(.failure(error))
      }
      whenDone(.success(hasher.finalize()))
    }
  }

  private func follow() {
    let frontier: Int64? = state.withLock { state in
      state.isScheduled = false
      return state.isAbandoned ? nil : state.frontier
    }
    if let frontier { hash(upTo: frontier) }
  }

  private func hash(upTo end: Int64) {
    guard failure == nil, let hasher else { return }
    withUnsafeTemporaryAllocation(byteCount: 128 << 10, alignment: 64) { buffer in
      while hashed < end {
        let wanted = Int(min(end &- hashed, Int64(buffer.count)))
        do throws(SystemError) {
          let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
          let count = try file.read(into: part, at: hashed)
          guard count > 0 else {
            throw SystemError(errno: EIO, call: "read the end of", path: file.path)
          }
          hasher.update(UnsafeRawBufferPointer(rebasing: part[..<count]))
          hashed &+= Int64(count)
        } catch {
          failure = error
          return
        }
      }
    }
  }
}
