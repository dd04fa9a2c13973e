import Glibc

/// The resource limits of the helper process.
enum ResourceBounds {
  /// The limit of memory in bytes. URLSession keeps the whole body of a redirect and the chunks that wait for
  /// the delegate in memory, so a server determines how much it uses. With the limit this process dies before
  /// the machine swaps.
  static let memory: rlim_t = 1 << 30

  static func apply() {
    setLimit(RLIMIT_DATA, to: memory)
    setLimit(RLIMIT_CORE, to: 0)
    raiseDescriptorLimit()
  }

  private static func setLimit(_ resource: __rlimit_resource, to value: rlim_t) {
    let resource = Int32(resource.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_cur, value)
    setrlimit(resource, &limit)
  }

  /// Raises the limit of descriptors: each transfer needs one for its spool and one for its socket.
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    let resource = Int32(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, 4_096))
    setrlimit(resource, &limit)
  }
}
