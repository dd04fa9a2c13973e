import Dispatch
import Glibc
import LibraryAPI

/// File descriptors that an engine cannot do without.
enum Descriptors {
  /// Those of the store, the locks, the event loops, the names and a few connections and files.
  static let least = 40

  /// Makes sure that there are enough, and has those made that libdispatch makes when they are
  /// needed first: with none left by then it ends the program.
  static func prepare() async throws(LibraryError) {
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < least {
      throw LibraryError(
        .io,
        "only \(limit.rlim_cur) file descriptors are allowed (ulimit -n); \(least) are needed")
    }
    await makeThoseOfQueues()
  }

  /// epoll and timerfd for timers, an eventfd for the main queue.
  private static func makeThoseOfQueues() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(50)) {
        // Nobody waits for it: a program need not have a main queue that runs.
        DispatchQueue.main.async {}
        continuation.resume()
      }
    }
  }
}
