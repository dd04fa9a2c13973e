import Glibc
import Synchronization
import SystemCalls
import Threading

/// The state that callers share with the thread of a session.
final class SessionState: Sendable {
  /// The state that the thread publishes for callers.
  struct Facts {
    var capabilities = Capabilities()
    var size = Size(80, 24)
    var statistics = TerminalSession.Statistics()
  }

  enum Request {
    case suspend
    case redraw
    case close
  }

  /// The requests of callers to the thread.
  private struct Inbox {
    var frame: CellBuffer?
    var requests: [Request] = []
    var isWoken = false
  }

  let events = EventQueue()
  let options: TerminalOptions
  let device: TerminalDevice
  /// The read end of the pipe that wakes the thread: byte 0 from callers, else the number of a signal.
  let notices: OwnedDescriptor
  private let wakePipe: OwnedDescriptor
  private let inbox = Mutex(Inbox())
  private let published = Mutex(Facts())
  private let readiness = Milestone()
  private let end = Milestone()

  init(_ options: TerminalOptions) throws(TerminalError) {
    self.options = options
    device = try TerminalDevice(options.descriptor)
    do throws(SystemError) {
      (notices, wakePipe) = try Channels.pipe()
    } catch {
      throw TerminalError(.system, cause: error)
    }
    for end in [notices, wakePipe] { _ = fcntl(end.raw, F_SETFL, O_NONBLOCK) }
  }

  /// Arms the signal handlers that restore the terminal, and starts the thread.
  func start() throws(TerminalError) {
    try device.arm(farewell: ScreenModes.endProbe, notices: wakePipe)
    do throws(TerminalError) {
      try device.makeRaw()
      let loop = SessionLoop(self)
      do throws(SystemError) {
        try BlockingThread("imgdl-terminal") { loop.run() }
      } catch {
        throw TerminalError(.system, cause: error)
      }
    } catch {
      TerminalDevice.disarm()
      throw error
    }
  }

  // MARK: - For callers

  var facts: Facts { published.withLock { $0 } }

  func present(_ frame: CellBuffer) {
    let (wasDropped, needsWaking) = inbox.withLock { inbox in
      defer {
        inbox.frame = frame
        inbox.isWoken = true
      }
      return (inbox.frame != nil, !inbox.isWoken)
    }
    if wasDropped { publish { $0.statistics.dropped += 1 } }
    if needsWaking { wake() }
  }

  func post(_ request: Request) {
    inbox.withLock { $0.requests.append(request) }
    wake()
  }

  private func wake() {
    var byte: UInt8 = 0
    // If the pipe is full, the thread wakes up anyway, so a failed write is ignored.
    _ = write(wakePipe.raw, &byte, 1)
  }

  func isReady() async -> Bool { await readiness.reached() }

  func hasEnded() async { _ = await end.reached() }

  // MARK: - For the thread

  var hasFrame: Bool { inbox.withLock { $0.frame != nil } }

  /// Returns the newest frame and removes it from the inbox.
  func dequeueFrame() -> CellBuffer? {
    inbox.withLock { inbox in
      defer { inbox.frame = nil }
      return inbox.frame
    }
  }

  /// Returns the requests of callers and removes them; later requests wake the thread again.
  func dequeueRequests() -> [Request] {
    inbox.withLock { inbox in
      inbox.isWoken = false
      defer { inbox.requests = [] }
      return inbox.requests
    }
  }

  func publish(_ change: (inout Facts) -> Void) { published.withLock { change(&$0) } }

  func becameReady() { readiness.reach(true) }

  func finish() {
    readiness.reach(false)
    events.finish()
    end.reach(true)
  }
}

/// An event that happens once, and that tasks can wait for.
final class Milestone: Sendable {
  private struct State {
    var outcome: Bool?
    var waiters: [CheckedContinuation<Bool, Never>] = []
  }

  private let state = Mutex(State())

  /// Sets the outcome. Only the first call has an effect.
  func reach(_ outcome: Bool) {
    let waiters = state.withLock { state -> [CheckedContinuation<Bool, Never>] in
      state.outcome = state.outcome ?? outcome
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(returning: outcome) }
  }

  func reached() async -> Bool {
    await withCheckedContinuation { continuation in
      let outcome = state.withLock { state -> Bool? in
        if state.outcome == nil { state.waiters.append(continuation) }
        return state.outcome
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }
}
