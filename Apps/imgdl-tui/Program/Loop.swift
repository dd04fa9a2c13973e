import Dispatch
import Screens
import SystemCalls
import Terminal
import Threading

/// The thin part of the program: takes inputs, lets the state change, does what follows, and shows
/// the result, only when something happened: news sixty times per second at most, and what the user
/// does without waiting for the frame of a piece of news before it.
actor Loop {
  private let executor = BlockingExecutor("loop", qos: .userInteractive)
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let inbox: Inbox
  private let screen: TerminalSession
  private let library: LibrarySession
  private let images: ImageLoader
  private var state: State
  private var isQuitting = false
  /// When what happened since the last frame is to be shown; nil means nothing did.
  private var frameDue: Double?
  private var lastFrame = -1.0

  /// Seconds between frames, after which news are shown.
  private static let eventInterval = 1.0 / 60
  /// The same for what the user does. A wheel turns faster than any terminal draws.
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

  /// Runs until the user quits or the terminal is gone.
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

  /// Seconds until something is due by itself: the next frame of what has changed, or what the state
  /// waits for.
  private var timeout: Double? {
    let due = [frameDue, state.wake].compactMap(\.self).min()
    return due.map { max(0, $0 - Self.now) }
  }

  private func process(_ input: Input) {
    // A tick that nothing waits for is the frame clock: nothing has changed by it.
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
      // Elsewhere: it looks through all that is free.
      case .releaseMemory: Alarm.ring(after: 0) { Machine.releaseFreeMemory() }
      case .decode(let order): images.want(order)
      default: library.perform(effect)
      }
    }
  }

  private static var now: Double { Double(Machine.monotonicNanoseconds) / 1e9 }
}
