import Dispatch
import Foundation

/// The delegate's queue: serial and bounded. A thread that adds a block to a full queue waits.
///
/// URLSession puts each chunk of a body into its delegate's queue and reads on, however long the queue is:
/// memory grows when the network is faster than the disk (swift-corelibs-foundation #3204). Here its own
/// thread waits instead, so that the sockets fill and the servers slow down. That cannot deadlock: no
/// delegate method waits for URLSession's work queue.
final class BoundedQueue: OperationQueue, @unchecked Sendable {
  // Unchecked because OperationQueue, which is Sendable, is a class that may be inherited from; the
  // one stored property is a semaphore.
  private let freeSlots: DispatchSemaphore

  /// - Parameter capacity: The number of blocks that may wait; a chunk has at most 16 KiB.
  init(capacity: Int) {
    freeSlots = DispatchSemaphore(value: capacity)
    super.init()
    maxConcurrentOperationCount = 1
  }

  override func addOperation(_ block: @escaping @Sendable () -> Void) {
    freeSlots.wait()
    super.addOperation { [freeSlots] in
      block()
      freeSlots.signal()
    }
  }
}
