import Dispatch
import Glibc
import Hashing
import Synchronization
import SystemCalls

/// Computes the SHA-256 of a file while it is written: reads the received prefix on a queue, and follows it while it
/// grows. The bytes are usually still in the page cache, and often in that of the processor.
///
/// @unchecked Sendable: only the queue uses `hasher`, `hashed` and `failure`; the mutex guards the rest.
final class FrontierHasher: @unchecked Sendable {
  private struct State {
    var frontier: Int64
    var isScheduled = false
    var isAbandoned = false
  }

  /// The growth of the prefix, in bytes, that is worth a turn of the queue.
  private static let stepBytes: Int64 = 1 << 20
  /// The number of bytes that are read at a time; they remain in a core's own cache until they are hashed.
  private static let readBytes = 128 << 10

  private let file: OwnedDescriptor
  private let queue = DispatchQueue(label: "imgdl.hash", qos: .utility)
  private let state: Mutex<State>
  private let hasher: SHA256Hasher
  private var hashed: Int64
  private var failure: SystemError?

  /// - Parameters:
  ///   - file: The file, open for reading.
  ///   - hasher: The digest state of its first bytes, which only this object uses from now on.
  ///   - start: The number of bytes that the digest state has processed.
  init(_ file: OwnedDescriptor, _ hasher: SHA256Hasher, from start: Int64) {
    self.file = file
    self.hasher = hasher
    hashed = start
    state = Mutex(State(frontier: start))
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

  /// Reports the hasher of the first `total` bytes, or the error of the file, after all of them were read. The hasher
  /// is not used here afterwards.
  func finish(
    _ total: Int64, _ whenDone: @escaping @Sendable (Result<SHA256Hasher, SystemError>) -> Void
  ) {
    queue.async {
      self.hash(upTo: total)
      if let failure = self.failure { return whenDone(.failure(failure)) }
      whenDone(.success(self.hasher))
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
    guard failure == nil else { return }
    withUnsafeTemporaryAllocation(byteCount: Self.readBytes, alignment: 64) { buffer in
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

extension FrontierHasher {
  /// The file systems that may fetch the bytes from another machine or program to read them, by their numbers in
  /// statfs(2): NFS, SMB 1 to 3, FUSE, 9P, Ceph and AFS.
  private static let remoteTypes: Set<Int64> = [
    0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x6573_5546, 0x0102_1997, 0x00c3_6400, 0x5346_414f,
  ]

  /// Opens a file that is being written so that a hasher can follow it.
  /// - Returns: nil if what was written might have to be fetched again; hashing on the thread that receives costs little
  ///   in comparison.
  static func open(_ path: String, in folder: ConfinedFolder) throws(SystemError)
    -> OwnedDescriptor?
  {
    if let type = FileSystem.type(of: folder.path), remoteTypes.contains(type) { return nil }
    return try folder.open(path)
  }
}
