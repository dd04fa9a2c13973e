import Dispatch
import Glibc
import Synchronization
import SystemCalls

/// A thread that runs the jobs of the actors that live on it, and waits for descriptors in between.
/// So those actors may make system calls that do not block without taking a thread of the
/// cooperative pool, and what is ready is told to them where they are.
final class LoopExecutor: SerialExecutor {
  private struct Mailbox: Sendable {
    var jobs: [UnownedJob] = []
    /// The thread waits for descriptors: the bell wakes it.
    var isWaiting = false
    var isEnding = false
    /// The thread takes no more jobs: they run elsewhere, one after another.
    var hasEnded = false
    /// The thread has let go of everything.
    var isGone = false
    var isDraining = false
    var whenEnded: [CheckedContinuation<Void, Never>] = []
  }

  let poller: Poller
  private let mailbox = Mutex(Mailbox())
  private let thread = Atomic<UInt>(0)

  init() throws(SystemError) { poller = try Poller() }

  /// Starts the thread; once.
  /// - Parameters:
  ///   - name: for `top` and `perf`; 15 characters at most are kept.
  ///   - tell: called on the thread for what is ready. Kept until the thread ends.
  func start(
    _ name: String, telling tell: @escaping @Sendable (Poller.Event) -> Void
  ) throws(SystemError) {
    try DetachedThread.start(name) { self.run(tell) }
  }

  /// Ends the thread when the jobs that are there have run. Harmless when repeated.
  func end() {
    mailbox.withLock { $0.isEnding = true }
    poller.ring()
  }

  /// Ends the thread and returns when its last job has run.
  func ended() async {
    await withCheckedContinuation { continuation in
      let isOver = mailbox.withLock { box in
        box.isEnding = true
        if !box.isGone { box.whenEnded.append(continuation) }
        return box.isGone
      }
      if isOver { continuation.resume() } else { poller.ring() }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    // The runtime holds the executor by the job alone: when that has run, we may be gone.
    let owner = Unmanaged.passRetained(self)
    defer { owner.release() }
    let job = UnownedJob(job)
    let (mustRing, mustDrain) = mailbox.withLock { box in
      box.jobs.append(job)
      if box.hasEnded {
        defer { box.isDraining = true }
        return (false, !box.isDraining)
      }
      defer { box.isWaiting = false }
      return (box.isWaiting, false)
    }
    if mustRing { poller.ring() }
    // Never on the thread that hands it in: that one is in the middle of leaving a task.
    if mustDrain { DispatchQueue.global().async { self.drain() } }
  }

  func checkIsolated() {
    precondition(isThread, "not on the thread of this executor")
  }

  func isIsolatingCurrentContext() -> Bool? { isThread ? true : nil }

  private var isThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  private func run(_ tell: (Poller.Event) -> Void) {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    loop: while true {
      switch next() {
      case .run(let jobs):
        for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
        // Jobs that make jobs do not keep the sockets waiting.
        for event in poller.ready() { tell(event) }
      case .wait: for event in poller.wait() { tell(event) }
      case .end: break loop
      }
    }
    thread.store(0, ordering: .relaxed)
    poller.close()
    let waiters = mailbox.withLock { box in
      defer { box.whenEnded = [] }
      box.isGone = true
      return box.whenEnded
    }
    for waiter in waiters { waiter.resume() }
  }

  private enum Step { case run([UnownedJob]), wait, end }

  private func next() -> Step {
    mailbox.withLock { box in
      if !box.jobs.isEmpty {
        defer { box.jobs = [] }
        return .run(box.jobs)
      }
      box.hasEnded = box.isEnding
      box.isWaiting = !box.isEnding
      return box.isEnding ? .end : .wait
    }
  }

  private func drain() {
    while true {
      let job: UnownedJob? = mailbox.withLock { box in
        guard !box.jobs.isEmpty else {
          box.isDraining = false
          return nil
        }
        return box.jobs.removeFirst()
      }
      guard let job else { return }
      job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}
