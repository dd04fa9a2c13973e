import CLinux
import Glibc

/// The address space that this process may map.
package enum AddressSpace {
  /// Makes all threads allocate from one arena if the address space is limited (`ulimit -v`).
  ///
  /// glibc reserves 64 MiB of addresses for the malloc arena of each thread, more than seven times the size
  /// of the thread's stack. With one arena per thread, the threads of this process do not fit into 1 GB, and
  /// the system refuses to start the last ones. Without a limit each thread keeps its arena, because threads
  /// wait for each other's allocations in a shared one. Must be called before other threads are started.
  package static func limitArenasIfLimited() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
      limit.rlim_cur != rlim_t.max
    else { return }
    _ = mallopt(M_ARENA_MAX, 1)
  }
}
