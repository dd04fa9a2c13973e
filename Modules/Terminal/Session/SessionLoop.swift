import CTerminal
import Glibc
import SystemCalls

/// The thread of a session, which blocks in poll(2) until the terminal, a signal or a caller wakes it.
///
/// The conformance is unchecked because from `run` on, only that thread uses the object.
final class SessionLoop: @unchecked Sendable {
  let state: SessionState
  let device: TerminalDevice
  var decoder = InputDecoder()
  var probe: CapabilityProbe
  var screen: ScreenWriter
  var capabilities: Capabilities
  var dimensions: TerminalDevice.Dimensions
  /// The bytes being sent; the terminal has accepted the first `sent` of them.
  var outgoing = Output()
  var sent = 0
  /// The queries to send after the bytes of `outgoing`.
  var queries: [UInt8] = []
  /// The last frame that was written, which is written again while pixels of its images are missing.
  var shown: CellBuffer?
  var budget = PixelBudget()
  var phase = Phase.probing
  var lastInput = Instant.zero
  var frameStart = Instant.zero
  /// The time at which sending the current bytes began.
  var sendingSince = Instant.zero
  /// The time at which the terminal was last acquired again after a stop.
  var reacquiredAt = Instant.zero
  private let probeEnd: Instant
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

  typealias Instant = Duration

  enum Phase {
    case probing
    case running
    case over
  }

  /// The time after ESC within which the rest of a key sequence must arrive.
  private static let escapeDelay = Duration.milliseconds(25)
  /// The minimum time between the starts of two frames.
  static let frameInterval = Duration.milliseconds(4)

  init(_ state: SessionState) {
    self.state = state
    device = state.device
    probe = CapabilityProbe(environment: state.options.environment)
    dimensions = device.dimensions
    capabilities = Capabilities()
    screen = ScreenWriter(capabilities)
    probeEnd = Self.now() + state.options.probeTimeout
  }

  deinit { chunk.deallocate() }

  /// Returns the time since the machine started.
  static func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  func run() {
    send(probe.queries)
    while phase != .over {
      wait()
      if phase != .over { handleRequests() }
      if phase == .probing, probe.isComplete || Self.now() >= probeEnd { enterScreen() }
      if phase == .running { writeFrameIfDue() }
    }
    restoreTerminal()
    state.finish()
  }

  // MARK: - Waiting

  private func wait() {
    let events = Int16(POLLIN) | (sent < outgoing.count ? Int16(POLLOUT) : 0)
    var polled = [
      pollfd(fd: device.descriptor.raw, events: events, revents: 0),
      pollfd(fd: state.notices.raw, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&polled, 2, timeout()) >= 0 || errno == EINTR else { return phase = .over }
    if polled[1].revents != 0 { readNotices() }
    if phase == .over { return }
    if polled[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { readInput() }
    if decoder.isWaiting, Self.now() >= lastInput + Self.escapeDelay {
      decoder.deadlinePassed()
      lastInput = Self.now()
      deliver()
    }
    if sent < outgoing.count { continueSending() }
  }

  /// Returns the time in milliseconds until the next deadline; -1 if there is none.
  private func timeout() -> Int32 {
    var due: Instant?
    func add(_ instant: Instant) { due = min(due ?? instant, instant) }
    if decoder.isWaiting { add(lastInput + Self.escapeDelay) }
    if phase == .probing { add(probeEnd) }
    if phase == .running, sent == outgoing.count, hasFrame { add(frameStart + Self.frameInterval) }
    guard let due else { return -1 }
    let left = due - Self.now()
    if left <= .zero { return 0 }
    let (seconds, attoseconds) = left.components
    return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
  }

  // MARK: - Input

  private func readInput() {
    while true {
      switch device.read(into: chunk) {
      case .bytes(let count):
        decoder.decode(chunk[..<count])
        lastInput = Self.now()
        if count < chunk.count { return deliver() }
      case .nothing: return deliver()
      case .disconnected:
        deliver()
        phase = .over
        return
      }
    }
  }

  /// Delivers decoded events to the program, and handles replies.
  private func deliver() {
    var events: [InputEvent] = []
    for item in decoder.drain() {
      switch item {
      case .input(let event): events.append(event)
      case .reply(let reply): handle(reply)
      }
    }
    state.events.append(events)
  }

  private func handle(_ reply: TerminalReply) {
    if case .graphics(let image, let message) = reply, image != CapabilityProbe.queryNumber {
      if message != "OK" { screen.terminalRefused(image: image, message: message) }
      return
    }
    send(probe.receive(reply))
    if phase == .running { updateCapabilities() }
  }

  // MARK: - Requests and signals

  private func readNotices() {
    while true {
      let count = read(state.notices.raw, chunk.baseAddress, chunk.count)
      guard count > 0 else { return }
      let signals = Set(chunk[..<count])
      if signals.contains(UInt8(SIGTSTP)) { suspend() }
      if signals.contains(UInt8(SIGCONT)) { continued() }
      if signals.contains(UInt8(SIGWINCH)) { resize() }
      if count < chunk.count { return }
    }
  }

  private func handleRequests() {
    for request in state.dequeueRequests() {
      switch request {
      case .suspend: suspend()
      case .redraw: redraw()
      case .close: phase = .over
      }
    }
  }
}
