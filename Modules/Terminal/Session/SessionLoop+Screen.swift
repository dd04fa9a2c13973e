import CTerminal
import Glibc
import SystemCalls

extension SessionLoop {
  // MARK: - Bytes

  /// Sends queries once no other bytes are being sent.
  func send(_ bytes: [UInt8]) {
    queries += bytes
    sendQueries()
  }

  private func sendQueries() {
    guard sent == outgoing.count, !queries.isEmpty else { return }
    outgoing.removeAll()
    outgoing.append(queries)
    queries = []
    startSending()
  }

  private func startSending() {
    sent = 0
    sendingSince = Self.now()
    continueSending()
  }

  /// Writes as many bytes as the terminal accepts without blocking.
  func continueSending() {
    outgoing.bytes.withUnsafeBytes { bytes in
      while sent < bytes.count {
        guard let count = device.write(UnsafeRawBufferPointer(rebasing: bytes[sent...])) else {
          phase = .over
          return
        }
        if count == 0 { return }
        sent += count
      }
    }
    guard sent == outgoing.count else { return }
    let (seconds, attoseconds) = (Self.now() - sendingSince).components
    budget.adapt(count: sent, seconds: Double(seconds) + Double(attoseconds) * 1e-18)
    sendQueries()
  }

  // MARK: - Frames

  /// Whether a frame in the inbox, or pixels of the last frame, are still to be written.
  var hasFrame: Bool { state.hasFrame || screen.needsAnotherFrame && shown != nil }

  /// Writes the newest frame, unless the previous one is still being sent.
  func writeFrameIfDue() {
    guard sent == outgoing.count, hasFrame else { return }
    let now = Self.now()
    guard now >= frameStart + Self.frameInterval else { return }
    if let frame = state.dequeueFrame() {
      // The frame was drawn for a larger, former size; the program has been notified of the new size.
      guard frame.width <= dimensions.cells.columns, frame.height <= dimensions.cells.rows else {
        state.publish { $0.statistics.dropped += 1 }
        return
      }
      shown = frame
    }
    guard let shown else { return }
    outgoing.removeAll()
    screen.write(shown, budget: budget.bytes, &outgoing)
    sent = 0
    guard !outgoing.isEmpty else { return }
    frameStart = now
    let count = outgoing.count
    state.publish {
      $0.statistics.frames += 1
      $0.statistics.bytes += count
    }
    startSending()
  }

  // MARK: - Ownership of the terminal

  /// Enters the screen modes after the terminal has answered the queries or the timeout has passed.
  func enterScreen() {
    phase = .running
    capabilities = detectedCapabilities()
    screen = ScreenWriter(capabilities, isRemote: isRemote)
    enter()
    state.publish {
      $0.capabilities = capabilities
      $0.size = dimensions.cells
    }
    state.becameReady()
  }

  private func enter() {
    let leaving = ScreenModes.restoringBytes(capabilities)
    imgdl_terminal_farewell(leaving, leaving.count)
    send(ScreenModes.enterSequence(capabilities, mouse: state.options.mouse))
    screen.invalidate()
  }

  private var isRemote: Bool {
    ["SSH_CONNECTION", "SSH_TTY"].contains { !(state.options.environment[$0] ?? "").isEmpty }
  }

  private func detectedCapabilities() -> Capabilities {
    var found = probe.capabilities
    if let pixels = dimensions.cellPixels, !found.knowsCellPixels {
      found.cellPixels = pixels
      found.knowsCellPixels = true
    }
    if let images = state.options.images { found.images = images }
    if let colours = state.options.colours, found.colours != .none { found.colours = colours }
    return found
  }

  /// Adopts late replies of the terminal, or a new size of its cells.
  func updateCapabilities() {
    let found = detectedCapabilities()
    guard found != capabilities else { return }
    // The modes that `enterScreen` has set remain the same; only drawing changes.
    let leaving = capabilities
    capabilities = found
    capabilities.kittyKeyboard = leaving.kittyKeyboard
    capabilities.graphemeClusters = leaving.graphemeClusters
    guard capabilities != leaving else { return }
    var last = Output()
    screen.finish(&last)
    send(last.bytes)
    screen = ScreenWriter(capabilities, isRemote: isRemote)
    let farewell = ScreenModes.restoringBytes(capabilities)
    imgdl_terminal_farewell(farewell, farewell.count)
    state.publish { $0.capabilities = capabilities }
    state.events.append([.capabilities(capabilities)])
  }

  func resize() {
    let new = device.dimensions
    guard new != dimensions else { return }
    let cellsChanged = new.cellPixels != dimensions.cellPixels
    dimensions = new
    // Terminals differ in what they keep of the screen when they are resized, so all of it is written again.
    screen.invalidate()
    shown = nil
    // The output buffer is released, because its capacity may be that of a larger window's frames.
    if sent == outgoing.count {
      outgoing = Output()
      sent = 0
    }
    state.publish { $0.size = new.cells }
    if phase == .running {
      if cellsChanged { updateCapabilities() }
      state.events.append([.resize(new.cells)])
    }
  }

  /// Draws the whole next frame, regardless of the terminal's contents.
  func redraw() {
    guard phase == .running else { return }
    send(ScreenModes.resetLeftovers)
    screen.invalidate()
    resize()
  }

  /// Stops the process until it is continued.
  func suspend() {
    guard phase == .running else { return }
    finishSending()
    imgdl_terminal_restore()
    imgdl_terminal_stop()
    reclaimTerminal()
  }

  /// Acquires the terminal again after the process was continued. If another process has stopped it, the
  /// shell may have changed the modes and the screen.
  func continued() {
    guard phase == .running, Self.now() > reacquiredAt + .seconds(1) else { return }
    imgdl_terminal_restore()
    reclaimTerminal()
  }

  private func reclaimTerminal() {
    reacquiredAt = Self.now()
    do {
      try device.makeRaw()
    } catch {
      phase = .over
      return
    }
    imgdl_terminal_rearm()
    sent = outgoing.count
    enter()
    resize()
    state.events.append([.resumed])
  }

  /// Restores the terminal at the end of the session.
  func restoreTerminal() {
    finishSending()
    outgoing.removeAll()
    sent = 0
    screen.finish(&outgoing)
    finishSending()
    TerminalDevice.disarm()
  }

  /// Waits up to half a second for the terminal to accept the remaining bytes.
  private func finishSending() {
    let deadline = Self.now() + .milliseconds(500)
    continueSending()
    while sent < outgoing.count, Self.now() < deadline {
      var polled = pollfd(fd: device.descriptor.raw, events: Int16(POLLOUT), revents: 0)
      guard poll(&polled, 1, 100) >= 0, polled.revents & Int16(POLLERR | POLLHUP) == 0 else {
        return
      }
      let before = sent
      continueSending()
      if polled.revents != 0, sent == before { return }
    }
  }
}
