import CLinux
import Glibc

/// The address space that this process may map.
package enum AddressSpace {
  /// Makes all threads allocate from one arena if the address space is limited (`ulimit -v`).
  ///
  /// glibc reserves 64 MiB of addresses for the arena of a thread, more than seven times its stack: with an
  /// arena each, the threads of this process do not fit into 1 GB, and which of them is refused depends on
  /// their order. Without a limit the arenas stay, since they keep threads from waiting for each other.
  /// Call it before threads are started.
  package static func spareIfLimited() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
      limit.rlim_cur != rlim_t.max
    else { return }
    _ = mallopt(M_ARENA_MAX, 1)
  }
}
