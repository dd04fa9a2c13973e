import Glibc
import Synchronization

/// A file descriptor with one owner: closed when the owner lets go of it.
///
/// Everything in this module opens with `O_CLOEXEC`, so that no descriptor reaches a helper program
/// by accident. May be used from any thread; closing it while another thread uses it is the
/// caller's mistake.
public final class OwnedDescriptor: Sendable {
  private let value: Atomic<Int32>
  /// What the descriptor was opened with, for messages.
  public let path: String?

  /// Takes over a descriptor that is open. Sets nothing: the caller opened it with `O_CLOEXEC`.
  public init(_ raw: Int32, path: String? = nil) {
    value = Atomic(raw)
    self.path = path
  }

  deinit { close() }

  /// The number for the kernel; -1 after `close()` or `take()`, which calls answer with `EBADF`.
  public var raw: Int32 { value.load(ordering: .relaxed) }

  public var isOpen: Bool { raw >= 0 }

  /// Hands the descriptor over: the caller closes it from now on.
  public func take() -> Int32 { value.exchange(-1, ordering: .acquiringAndReleasing) }

  /// Closes now. Harmless when repeated. Errors are not reported: `sync()` before, to know.
  public func close() {
    let raw = take()
    // Never repeated after EINTR: on Linux the descriptor is gone then, and may be someone else's.
    if raw >= 0 { _ = Glibc.close(raw) }
  }

  /// A second descriptor for the same open file.
  public func duplicate() throws(SystemError) -> OwnedDescriptor {
    let copy = try checked("duplicate", path) { fcntl(raw, F_DUPFD_CLOEXEC, 0) }
    return OwnedDescriptor(copy, path: path)
  }
}
