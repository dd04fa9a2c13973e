import Glibc
import SystemCalls
import Threading

/// Sockets of one thread. Whoever reads or writes is suspended where the kernel would block; one
/// task at a time for each socket.
actor SocketLoop {
  /// Names a socket of the loop; never used again.
  struct SocketID: Hashable, Sendable { let token: UInt64 }

  enum Waking: Sendable {
    /// The socket can be read or written, or its peer is gone.
    case ready
    /// Somebody called `wake`.
    case woken
    case timedOut
    /// Somebody closed the socket.
    case closed
  }

  struct Watch {
    let socket: OwnedDescriptor
    var interest: Poller.Readiness = []
    var hasHungUp = false
    /// Woken while nobody waited.
    var isWoken = false
    var waiter: CheckedContinuation<Waking, Never>?
    var deadline: Double?
    var onHangUp: (@Sendable () -> Void)?
  }

  nonisolated let executor: EventLoopThread
  nonisolated let clock: any MonotonicClock
  var watches: [UInt64: Watch] = [:]
  private var isHurried = false
  private var lastToken = Poller.firstToken
  private var timer: Task<Void, Never>?
  private var timerTime: Double?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameter name: the thread's.
  init(_ name: String, clock: any MonotonicClock) throws(SystemError) {
    executor = try EventLoopThread()
    self.clock = clock
    try executor.start(name) { [weak self] event in
      self?.assumeIsolated { $0.handle(event) }
    }
  }

  /// Closes every socket and ends the thread.
  nonisolated func end() async {
    await closeEverything()
    await executor.end()
  }

  /// From now on whoever would wait is told at once that its time is over, as is everybody who waits.
  func stopWaiting() {
    isHurried = true
    for token in Array(watches.keys) { resume(token, .timedOut) }
  }

  private func closeEverything() async {
    isHurried = true
    for token in Array(watches.keys) { close(SocketID(token: token)) }
    timer?.cancel()
    await timer?.value
    timer = nil
  }

  // MARK: Sockets

  /// Takes a socket over that does not block.
  func add(_ socket: OwnedDescriptor) throws(SystemError) -> SocketID {
    guard !isHurried else { throw SystemError(errno: ESHUTDOWN, call: "watch a descriptor") }
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

  /// Closes a socket after a last word, as far as the kernel takes it at once.
  func close(_ id: SocketID, saying farewell: [UInt8]) {
    if !farewell.isEmpty, let socket = watches[id.token]?.socket {
      Self.sendOnce(socket, farewell)
    }
    close(id)
  }

  func isOpen(_ id: SocketID) -> Bool { watches[id.token] != nil }

  /// Whether the peer has closed its socket; nothing that is sent reaches it any more.
  func hasHungUp(_ id: SocketID) -> Bool { watches[id.token]?.hasHungUp ?? true }

  /// Calls `body` once, on the loop's thread, when the peer closes its socket; at once if it has.
  func onHangUp(_ id: SocketID, _ body: (@Sendable () -> Void)?) {
    guard let body, hasHungUp(id) else {
      watches[id.token]?.onHangUp = body
      return
    }
    body()
  }

  /// Lets whoever waits for the socket continue, now or when it waits next.
  func wake(_ id: SocketID) {
    guard watches[id.token] != nil else { return }
    if !resume(id.token, .woken) { watches[id.token]?.isWoken = true }
  }

  /// Waits until the socket is ready for what is asked, or its peer is gone.
  /// - Parameter deadline: on the loop's clock; nil means none.
  func wait(
    _ id: SocketID, for interest: Poller.Readiness, until deadline: Double? = nil
  ) async -> Waking {
    guard var watch = watches[id.token] else { return .closed }
    if watch.hasHungUp { return .ready }
    if isHurried { return .timedOut }
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
    if !event.readiness.isDisjoint(with: [.hungUp, .failed]) {
      // It would be told for ever; what is left to be read can be read without waiting.
      executor.poller.remove(watch.socket.raw)
      watch.hasHungUp = true
      let onHangUp = watch.onHangUp
      watch.onHangUp = nil
      watches[event.token] = watch
      onHangUp?()
    } else if watch.waiter == nil {
      watch.interest = []
      executor.poller.change(watch.socket.raw, [], token: event.token)
      watches[event.token] = watch
    }
    resume(event.token, .ready)
  }

  @discardableResult
  private func resume(_ token: UInt64, _ waking: Waking) -> Bool {
    guard let waiter = watches[token]?.waiter else { return false }
    watches[token]?.waiter = nil
    watches[token]?.deadline = nil
    waiter.resume(returning: waking)
    return true
  }

  // MARK: Deadlines

  /// One sleeper for the earliest deadline; it looks which are due when it wakes.
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
