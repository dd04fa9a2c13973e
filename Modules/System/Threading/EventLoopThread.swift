import Dispatch
import Glibc
import Synchronization
package import SystemCalls

/// A thread that runs the jobs of the actors that use it as their executor, and waits for descriptors between
/// jobs.
///
/// Such actors may make system calls that do not block without occupying a thread of the cooperative
/// pool, and events of descriptors reach them on their own thread.
package final class EventLoopThread: SerialExecutor {
  private struct State: Sendable {
    var jobs: [UnownedJob] = []
    /// Whether the thread waits for descriptors, so that a new job must wake it.
    var isWaiting = false
    var isEnding = false
    /// Whether the thread accepts no more jobs; later jobs run one after another on a Dispatch queue.
    var hasEnded = false
    /// Whether the thread has closed its poller.
    var isClosed = false
    var isDraining = false
    var whenClosed: [CheckedContinuation<Void, Never>] = []
  }

  package let poller: Poller
  private let state = Mutex(State())
  private let thread = Atomic<UInt>(0)

  package init() throws(SystemError) { poller = try Poller() }

  /// Starts the thread. Must be called once.
  /// - Parameters:
  ///   - name: The name for `top` and `perf`, truncated to 15 characters.
  ///   - handle: Called on the thread for each event. Retained until the thread ends.
  package func start(
    _ name: String, handlingEventsWith handle: @escaping @Sendable (Poller.Event) -> Void
  ) throws(SystemError) {
    try BlockingThread(name) { self.run(handle) }
  }

  /// Ends the thread after the jobs that are queued, and returns when it has closed its poller. May be
  /// called repeatedly.
  package func shutDown() async {
    await withCheckedContinuation { continuation in
      let isClosed = state.withLock { state in
        state.isEnding = true
        if !state.isClosed { state.whenClosed.append(continuation) }
        return state.isClosed
      }
      if isClosed { continuation.resume() } else { poller.wakeUp.signal() }
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    // The executor is retained until this method returns: the job may hold the last reference to it, and may
    // have run before.
    let owner = Unmanaged.passRetained(self)
    defer { owner.release() }
    let job = UnownedJob(job)
    let (mustWake, mustDrain) = state.withLock { state in
      state.jobs.append(job)
      if state.hasEnded {
        defer { state.isDraining = true }
        return (false, !state.isDraining)
      }
      defer { state.isWaiting = false }
      return (state.isWaiting, false)
    }
    if mustWake { poller.wakeUp.signal() }
    // The job must not run on the caller's thread, which is still suspending a task.
    if mustDrain { DispatchQueue.global().async { self.drain() } }
  }

  package func checkIsolated() {
    precondition(isThread, "not on the thread of this executor")
  }

  package func isIsolatingCurrentContext() -> Bool? { isThread ? true : nil }

  private var isThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  private func run(_ handle: (Poller.Event) -> Void) {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    let events = Poller.Events()
    loop: while true {
      switch next() {
      case .run(let jobs):
        for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
        // Descriptors are polled even if jobs keep enqueuing other jobs.
        poller.wait(for: events, milliseconds: 0)
      case .wait: poller.wait(for: events)
      case .end: break loop
      }
      for index in 0..<events.count {
        if let event = poller.event(index, of: events) { handle(event) }
      }
    }
    thread.store(0, ordering: .relaxed)
    poller.close()
    let waiters = state.withLock { state in
      defer { state.whenClosed = [] }
      state.isClosed = true
      return state.whenClosed
    }
    for waiter in waiters { waiter.resume() }
  }

  private enum Step { case run([UnownedJob]), wait, end }

  private func next() -> Step {
    state.withLock { state in
      if !state.jobs.isEmpty {
        defer { state.jobs = [] }
        return .run(state.jobs)
      }
      state.hasEnded = state.isEnding
      state.isWaiting = !state.isEnding
      return state.isEnding ? .end : .wait
    }
  }

  private func drain() {
    while true {
      let job: UnownedJob? = state.withLock { state in
        guard !state.jobs.isEmpty else {
          state.isDraining = false
          return nil
        }
        return state.jobs.removeFirst()
      }
      guard let job else { return }
      job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}
