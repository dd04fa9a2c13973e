import Dispatch
import Glibc
import LibraryAPI
import Models
import SystemCalls
import Threading

/// The threads and file descriptors that the system grants this process, and the number of simultaneous
/// transfers that they suffice for.
struct ProcessResources {
  /// Threads of the runtime, the store, the transport, the names and the workers' pipes.
  static let engineThreads = 16
  /// Threads without which not even a command that asks another process can wait for an answer.
  static let commandThreads = 4

  /// The most transfers that `concurrency` allows.
  private static let mostTransfers = 1_024
  /// A connection and a partial file.
  private static let descriptorsPerTransfer = 2

  /// The file descriptors that are needed before any transfer: by the store, the locks, the event loops, the
  /// resolver, originals on their way into place, and each worker process with its start.
  private static func descriptorsBesideTransfers(_ settings: Settings) -> Int {
    let workers =
      settings.rendering.workers > 0
      ? settings.rendering.workers : min(4, Machine.processorCount)
    return 42 + 4 * workers
  }

  /// Transfers for which there are descriptors.
  let transfers: Int
  /// File descriptors that are allowed.
  let descriptors: Int

  /// Makes sure that threads can be started and that there are descriptors for one transfer at the
  /// least, raises the soft limit where that helps, and has those descriptors made that libdispatch makes
  /// when they are needed first: with none left by then it ends the program.
  static func prepare(for settings: Settings) async throws(LibraryError) -> ProcessResources {
    try checkThreads(engineThreads)
    let beside = descriptorsBesideTransfers(settings)
    let allowed = raisedLimit(
      wanted: beside + descriptorsPerTransfer * mostTransfers + settings.network.connections)
    let transfers = min(mostTransfers, (allowed - beside) / descriptorsPerTransfer)
    guard transfers > 0 else {
      throw LibraryError(
        .io,
        "only \(allowed) file descriptors are allowed (ulimit -n); "
          + "\(beside + descriptorsPerTransfer) are needed")
    }
    await makeThoseOfQueues()
    return ProcessResources(transfers: transfers, descriptors: allowed)
  }

  /// - Throws: `.io` where the system refuses to start so many threads at the same time.
  static func checkThreads(_ count: Int) throws(LibraryError) {
    AddressSpace.spareIfLimited()
    do throws(SystemError) {
      try ThreadSupply.check(count)
    } catch {
      throw LibraryError(.io, error.description)
    }
  }

  /// A warning for the user that the limits reduce the number of transfers; nil if they allow what the
  /// settings ask for.
  func warning(_ settings: Settings) -> String? {
    let wanted = settings.network.maxConcurrentDownloads
    guard transfers < wanted else { return nil }
    return "only \(descriptors) file descriptors are allowed (ulimit -n), enough for "
      + (transfers == 1 ? "1 transfer" : "\(transfers) transfers")
      + " at the same time, not for \(wanted)"
  }

  /// The limit of descriptors, raised to what is wanted as far as the system lets every process.
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

  /// epoll and timerfd for timers, an eventfd for the main queue.
  private static func makeThoseOfQueues() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(50)) {
        // The probe does not wait for this block, since not every program runs its main queue.
        DispatchQueue.main.async {}
        continuation.resume()
      }
    }
  }
}
