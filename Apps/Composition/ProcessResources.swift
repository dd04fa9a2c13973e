import Dispatch
import Glibc
import LibraryAPI
import Models
import SystemCalls
import Threading

/// The threads and file descriptors that the system grants this process, and the number of simultaneous
/// transfers for which they suffice.
struct ProcessResources {
  /// The number of threads that an engine needs: for the runtime, the store, the transport, name resolution
  /// and the workers' pipes.
  static let engineThreads = 16
  /// The number of threads that a command needs even if the engine runs in another process.
  static let commandThreads = 4

  /// The maximum value of the setting for concurrent transfers.
  private static let maximumTransfers = 1_024
  /// The number of file descriptors for one transfer: its connection and its partial file.
  private static let descriptorsPerTransfer = 2

  /// The number of file descriptors needed apart from transfers: for the store, locks, event loops, the
  /// resolver, originals that are being moved to their final path, and worker processes and their start.
  private static func descriptorsBesideTransfers(_ settings: Settings) -> Int {
    let workers =
      settings.rendering.workers > 0
      ? settings.rendering.workers : min(4, Machine.processorCount)
    return 42 + 4 * workers
  }

  /// The number of simultaneous transfers for which there are enough file descriptors.
  let transfers: Int
  /// The maximum number of file descriptors of this process.
  let descriptors: Int

  /// Checks that enough threads can be started, raises the soft limit of file descriptors, and checks that
  /// the limit suffices for at least one transfer. Also makes libdispatch create its descriptors now, because
  /// libdispatch would end the program if none were free at its first use.
  /// - Throws: `LibraryError` with code `.io` if threads or file descriptors do not suffice.
  static func prepare(for settings: Settings) async throws(LibraryError) -> ProcessResources {
    try checkThreads(engineThreads)
    let beside = descriptorsBesideTransfers(settings)
    let allowed = raisedLimit(
      wanted: beside + descriptorsPerTransfer * maximumTransfers + settings.network.connections)
    let transfers = min(maximumTransfers, (allowed - beside) / descriptorsPerTransfer)
    guard transfers > 0 else {
      throw LibraryError(
        .io,
        "only \(allowed) file descriptors are allowed (ulimit -n); "
          + "\(beside + descriptorsPerTransfer) are needed")
    }
    await createQueueThreads()
    return ProcessResources(transfers: transfers, descriptors: allowed)
  }

  /// Checks that `count` threads can run at the same time.
  /// - Throws: `LibraryError` with code `.io` if the system refuses to start them.
  static func checkThreads(_ count: Int) throws(LibraryError) {
    AddressSpace.limitArenasIfLimited()
    do throws(SystemError) {
      try ThreadSupply.check(count)
    } catch {
      throw LibraryError(.io, error.description)
    }
  }

  /// Returns a warning that the limits of the process reduce the number of transfers, or nil if they allow
  /// the number in the settings.
  func warning(_ settings: Settings) -> String? {
    let wanted = settings.network.maxConcurrentDownloads
    guard transfers < wanted else { return nil }
    return "only \(descriptors) file descriptors are allowed (ulimit -n), enough for "
      + (transfers == 1 ? "1 transfer" : "\(transfers) transfers")
      + " at the same time, not for \(wanted)"
  }

  /// Raises the soft limit of file descriptors to the wanted number, or as far as the hard limit permits.
  /// - Returns: The resulting limit.
  private static func raisedLimit(wanted: Int) -> Int {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return wanted }
    if limit.rlim_cur < UInt(wanted), limit.rlim_cur < limit.rlim_max {
      var raised = limit
      raised.rlim_cur = min(UInt(wanted), limit.rlim_max)
      if setrlimit(resource, &raised) == 0 { limit = raised }
    }
    return Int(clamping: limit.rlim_cur)
  }

  /// Makes libdispatch create its descriptors: epoll and timerfd for timers, and an eventfd for the main
  /// queue.
  private static func createQueueThreads() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(50)) {
        // Not every program runs its main queue, so this block is not awaited.
        DispatchQueue.main.async {}
        continuation.resume()
      }
    }
  }
}
