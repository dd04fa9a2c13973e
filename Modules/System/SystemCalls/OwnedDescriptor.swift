import Glibc
import Synchronization

/// A file descriptor with one owner, closed on deinitialization.
///
/// All functions of this module open with `O_CLOEXEC`, so that no descriptor is inherited by a helper program
/// by accident. May be used from any thread; the caller must not close it while another thread uses it.
public final class OwnedDescriptor: Sendable {
  private let value: Atomic<Int32>
  /// The path that was opened, for messages.
  public let path: String?

  /// Takes the ownership of an open descriptor, which the caller must have opened with `O_CLOEXEC`.
  public init(_ raw: Int32, path: String? = nil) {
    value = Atomic(raw)
    self.path = path
  }

  deinit { close() }

  /// The raw descriptor; after `close()` or `release()` it is -1, for which system calls fail with `EBADF`.
  public var raw: Int32 { value.load(ordering: .relaxed) }

  public var isOpen: Bool { raw >= 0 }

  /// Transfers the ownership of the descriptor: the caller must close it.
  public func release() -> Int32 { value.exchange(-1, ordering: .acquiringAndReleasing) }

  /// Closes the descriptor; further calls do nothing. Errors are not reported: call `sync()` before.
  public func close() {
    let raw = release()
    // close(2) is not repeated after EINTR: on Linux the descriptor is already closed and may be reused by
    // another thread.
    if raw >= 0 { _ = Glibc.close(raw) }
  }

  /// Returns a second descriptor of the same open file (`dup`).
  public func duplicate() throws(SystemError) -> OwnedDescriptor {
    let copy = try checked("duplicate", path) { fcntl(raw, F_DUPFD_CLOEXEC, 0) }
    return OwnedDescriptor(copy, path: path)
  }
}
