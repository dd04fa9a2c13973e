import Synchronization

/// Holds a script until a test opens it. Once open, it stays open.
public final class Gate: Sendable {
  let signal: Signal
  private let arrivals = Arrivals<Bool>()

  /// Throws if the process has no more file descriptors.
  public init() throws(OriginError) { signal = try Signal() }

  public var isOpen: Bool { signal.isRaised }

  /// Lets everything that waits go on.
  public func open() {
    signal.raise()
    arrivals.append(true)
  }

  /// Blocks the calling thread until the gate is open. Not for the threads that tasks run on.
  public func block() { Signal.waitForAny([signal]) }

  /// Suspends until the gate is open.
  public func wait() async { _ = await arrivals.wait(count: 1) }
}
