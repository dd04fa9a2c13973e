import Dispatch
import Screens
import SystemCalls
import Terminal
import Threading

/// The main loop: passes inputs to the state, performs the effects that the state returns, and draws frames.
///
/// A frame is drawn only after an input: for changes of the library at most sixty times per second, and for
/// user input after a shorter interval, so that it need not wait for the frame of a change.
actor Loop {
  private let executor = BlockingExecutor("loop", qos: .userInteractive)
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let inbox: Inbox
  private let screen: TerminalSession
  private let library: LibrarySession
  private let images: ImageLoader
  private var state: State
  private var isQuitting = false
  /// The time at which the next frame is due, in seconds of the monotonic clock, or nil if there has been no
  /// input since the last frame.
  private var frameDue: Double?
  private var lastFrame = -1.0

  /// The minimum number of seconds between two frames if the second one shows no user input.
  private static let eventInterval = 1.0 / 60
  /// The minimum number of seconds between two frames if the second one shows user input. A mouse wheel sends
  /// events faster than any terminal draws.
  private static let userInterval = 1.0 / 120

  init(
    _ state: State, inbox: Inbox, screen: TerminalSession, library: LibrarySession,
    images: ImageLoader
  ) {
    self.state = state
    self.inbox = inbox
    self.screen = screen
    self.library = library
    self.images = images
  }

  /// Runs until the user quits or the terminal is closed.
  func run() async {
    perform(state.reduce(.tick, at: Self.now))
    present()
    while !isQuitting {
      let inputs = await inbox.drain(within: timeout)
      if inbox.isClosed { return }
      if inputs.isEmpty {
        process(.tick)
      } else {
        for input in inputs { process(input) }
      }
      if let frameDue, Self.now >= frameDue { present() }
    }
  }

  /// The number of seconds until the loop has to act without an input, or nil if it need not: to draw the
  /// next frame, or to send the tick that the state has requested.
  private var timeout: Double? {
    let due = [frameDue, state.wake].compactMap(\.self).min()
    return due.map { max(0, $0 - Self.now) }
  }

  private func process(_ input: Input) {
    // A tick that the state has not requested does not change the state; it only draws a pending frame.
    if case .tick = input, (state.wake ?? .infinity) > Self.now { return }
    perform(state.reduce(input, at: Self.now))
    let interval = if case .terminal = input { Self.userInterval } else { Self.eventInterval }
    frameDue = min(frameDue ?? .infinity, lastFrame + interval)
  }

  private func present() {
    frameDue = nil
    lastFrame = Self.now
    screen.present(state.draw().buffer)
    library.setWatched(state.watchedRecords)
  }

  private func perform(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .quit: isQuitting = true
      case .redraw: screen.redraw()
      case .suspend: screen.suspend()
      // The call examines all free memory of the process, so it runs on the alarm queue, not in the loop.
      case .releaseMemory: FrameTimer.ring(after: 0) { Machine.releaseFreeMemory() }
      case .decode(let order): images.request(order)
      default: library.perform(effect)
      }
    }
  }

  private static var now: Double { Double(Machine.monotonicNanoseconds) / 1e9 }
}
