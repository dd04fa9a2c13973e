import Glibc
import Synchronization
import SystemCalls
import Threading

/// What callers and the thread of a session share.
final class SessionState: Sendable {
  /// What the thread found out, for callers.
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

  /// What callers want from the thread.
  private struct Inbox {
    var frame: CellBuffer?
    var requests: [Request] = []
    var isWoken = false
  }

  let events = EventQueue()
  let options: TerminalOptions
  let device: TerminalDevice
  /// Wakes the thread: 0 from callers, else the number of a signal.
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

  /// Makes the terminal ours and starts the thread.
  func start() throws(TerminalError) {
    try device.arm(farewell: ScreenModes.leaveProbe, notices: wakePipe)
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

  func ask(_ request: Request) {
    inbox.withLock { $0.requests.append(request) }
    wake()
  }

  private func wake() {
    var byte: UInt8 = 0
    // A full pipe wakes just as well.
    _ = write(wakePipe.raw, &byte, 1)
  }

  func isReady() async -> Bool { await readiness.reached() }

  func hasEnded() async { _ = await end.reached() }

  // MARK: - For the thread

  var hasFrame: Bool { inbox.withLock { $0.frame != nil } }

  /// Takes the newest frame.
  func takeFrame() -> CellBuffer? {
    inbox.withLock { inbox in
      defer { inbox.frame = nil }
      return inbox.frame
    }
  }

  /// Takes what callers want; from now on they wake the thread again.
  func takeRequests() -> [Request] {
    inbox.withLock { inbox in
      inbox.isWoken = false
      defer { inbox.requests = [] }
      return inbox.requests
    }
  }

  func publish(_ change: (inout Facts) -> Void) { published.withLock { change(&$0) } }

  func becameReady() { readiness.reach(true) }

  func ended() {
    readiness.reach(false)
    events.finish()
    end.reach(true)
  }
}

/// Something that happens once, and that others wait for.
final class Milestone: Sendable {
  private struct State {
    var outcome: Bool?
    var waiters: [CheckedContinuation<Bool, Never>] = []
  }

  private let state = Mutex(State())

  /// The first call counts.
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
