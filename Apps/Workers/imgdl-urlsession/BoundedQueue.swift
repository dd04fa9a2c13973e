import Dispatch
import Foundation

/// A bounded serial queue for URLSession's delegate. A thread that adds a block to a full queue waits.
///
/// URLSession adds each chunk of a body to its delegate's queue and continues to read, however long the queue
/// is, so that memory grows when the network is faster than the disk (swift-corelibs-foundation #3204). With
/// this queue URLSession's thread waits instead; the sockets' buffers fill, and the servers slow down. A
/// deadlock is impossible, because no delegate method waits for URLSession's work queue.
final class BoundedQueue: OperationQueue, @unchecked Sendable {
  // The conformance is unchecked because the compiler checks no class with a superclass other than NSObject.
  // The only stored property is a semaphore.
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
