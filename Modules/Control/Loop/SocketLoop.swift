import CLinux
import Glibc
import SystemCalls
import Threading

/// Non-blocking sockets, polled by one thread. A task that reads or writes is suspended where the kernel
/// would block. Only one task at a time may wait for a socket.
actor SocketLoop {
  /// Identifies a socket of the loop; never reused.
  struct SocketID: Hashable, Sendable { let token: UInt64 }

  enum WakeReason: Sendable {
    /// The socket is ready for reading or writing, or its peer has closed the connection.
    case ready
    /// Another task called `wake`.
    case woken
    case timedOut
    /// The socket was closed.
    case closed
  }

  struct Watch {
    let socket: OwnedDescriptor
    var interest: Poller.Readiness = []
    var hasHungUp = false
    /// Whether `wake` was called while no task waited.
    var isWoken = false
    var waiter: CheckedContinuation<WakeReason, Never>?
    var deadline: Double?
    var onHangUp: (@Sendable () -> Void)?
  }

  nonisolated let executor: EventLoopThread
  nonisolated let clock: any MonotonicClock
  var watches: [UInt64: Watch] = [:]
  private var refusesWaiting = false
  private var lastToken = Poller.firstToken
  private var timer: Task<Void, Never>?
  private var timerTime: Double?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameter name: The name of the thread.
  init(_ name: String, clock: any MonotonicClock) throws(SystemError) {
    executor = try EventLoopThread()
    self.clock = clock
    try executor.start(name) { [weak self] event in
      self?.assumeIsolated { $0.handle(event) }
    }
  }

  /// Closes every socket and ends the thread.
  nonisolated func shutDown() async {
    await closeEverything()
    await executor.shutDown()
  }

  /// Resumes every waiting task with `timedOut`; later waits return `timedOut` at once.
  func stopWaiting() {
    refusesWaiting = true
    for token in Array(watches.keys) { resume(token, .timedOut) }
  }

  private func closeEverything() async {
    refusesWaiting = true
    for token in Array(watches.keys) { close(SocketID(token: token)) }
    timer?.cancel()
    await timer?.value
    timer = nil
  }

  // MARK: Sockets

  /// Adds a non-blocking socket and takes ownership of it.
  func add(_ socket: OwnedDescriptor) throws(SystemError) -> SocketID {
    guard !refusesWaiting else { throw SystemError(errno: ESHUTDOWN, call: "watch a descriptor") }
    lastToken += 1
    try executor.poller.add(socket.raw, [], token: lastToken)
    watches[lastToken] = Watch(socket: socket)
    return SocketID(token: lastToken)
  }

  func close(_ id: SocketID) {
    guard let watch = watches.removeValue(forKey: id.token) else { return }
    if !watch.hasHungUp { executor.poller.remove(watch.socket.raw) }
    watch.socket.close()
    watch.waiter?.resume(returning: .closed)
  }

  /// Sends a last message, as far as the kernel accepts it at once, and closes the socket.
  func close(_ id: SocketID, sending response: [UInt8]) {
    if !response.isEmpty, let socket = watches[id.token]?.socket {
      Self.sendOnce(socket, response)
    }
    close(id)
  }

  func isOpen(_ id: SocketID) -> Bool { watches[id.token] != nil }

  /// Whether the peer has closed its socket, so that the peer receives no further bytes.
  func hasHungUp(_ id: SocketID) -> Bool { watches[id.token]?.hasHungUp ?? true }

  /// Whether the peer has closed the connection, or its side of it, so that a client no longer waits for a long piece
  /// of work. Input that was not read stays there.
  func hasInputEnded(_ id: SocketID) -> Bool {
    guard let watch = watches[id.token], !watch.hasHungUp else { return true }
    var entry = pollfd(fd: watch.socket.raw, events: Int16(imgdl_pollrdhup()), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  /// Calls `body` once, on the loop's thread, when the peer closes its socket, or at once if the peer already
  /// has. Passing nil removes the callback.
  func onHangUp(
    _ id: SocketID, orEndOfInput: Bool = false, _ body: (@Sendable () -> Void)?
  ) {
    guard let body, hasHungUp(id) else {
      guard var watch = watches[id.token] else { return }
      watch.onHangUp = body
      if body != nil, orEndOfInput {
        watch.interest = .peerClosed
        executor.poller.change(watch.socket.raw, .peerClosed, token: id.token)
      }
      watches[id.token] = watch
      return
    }
    body()
  }

  /// Resumes the task that waits for the socket; if no task waits, the next wait returns `woken` at once.
  func wake(_ id: SocketID) {
    guard watches[id.token] != nil else { return }
    if !resume(id.token, .woken) { watches[id.token]?.isWoken = true }
  }

  /// Waits until the socket is ready for `interest`, or the peer has closed the connection.
  /// - Parameter deadline: The deadline on the loop's clock; nil means none.
  func wait(
    _ id: SocketID, for interest: Poller.Readiness, until deadline: Double? = nil
  ) async -> WakeReason {
    guard var watch = watches[id.token] else { return .closed }
    if watch.hasHungUp { return .ready }
    if refusesWaiting { return .timedOut }
    if watch.isWoken {
      watches[id.token]?.isWoken = false
      return .woken
    }
    if watch.interest != interest {
      watch.interest = interest
      executor.poller.change(watch.socket.raw, interest, token: id.token)
    }
    watch.deadline = deadline
    return await withCheckedContinuation { continuation in
      watch.waiter = continuation
      watches[id.token] = watch
      if let deadline { arm(deadline) }
    }
  }

  private func handle(_ event: Poller.Event) {
    guard var watch = watches[event.token] else { return }
    if event.readiness.hasEnded {
      // Stop polling, since the poller would report the hang-up again and again. The remaining input can be
      // read without waiting.
      executor.poller.remove(watch.socket.raw)
      watch.hasHungUp = true
      let onHangUp = watch.onHangUp
      watch.onHangUp = nil
      watches[event.token] = watch
      onHangUp?()
    } else if watch.waiter == nil {
      watch.interest = []
      executor.poller.change(watch.socket.raw, [], token: event.token)
      let onHangUp = event.readiness.contains(.peerClosed) ? watch.onHangUp : nil
      if onHangUp != nil { watch.onHangUp = nil }
      watches[event.token] = watch
      onHangUp?()
    }
    resume(event.token, .ready)
  }

  @discardableResult
  private func resume(_ token: UInt64, _ waking: WakeReason) -> Bool {
    guard let waiter = watches[token]?.waiter else { return false }
    watches[token]?.waiter = nil
    watches[token]?.deadline = nil
    waiter.resume(returning: waking)
    return true
  }

  // MARK: Deadlines

  /// Schedules the loop's only timer for the earliest deadline. When the timer fires, all tasks whose
  /// deadline has passed are resumed.
  private func arm(_ time: Double) {
    if let timerTime, timerTime <= time { return }
    timer?.cancel()
    timerTime = time
    timer = Task {
      guard (try? await clock.sleep(until: time)) != nil, timerTime == time else { return }
      timerTime = nil
      timeOut(clock.now())
    }
  }

  private func timeOut(_ now: Double) {
    for (token, watch) in watches {
      if let deadline = watch.deadline, deadline <= now { resume(token, .timedOut) }
    }
    if let next = watches.values.compactMap(\.deadline).min() { arm(next) }
  }
}
