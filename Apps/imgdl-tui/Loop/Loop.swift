import Screens
import SystemCalls
import Terminal

/// The thin part of the program: takes inputs, lets the state change, does what follows, and shows
/// the result, at most sixty times a second and only when something happened.
actor Loop {
  private let executor = LoopExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let inbox: Inbox
  private let screen: TerminalSession
  private let library: LibrarySession
  private let pictures: PictureDesk
  private var state: State
  private var isQuitting = false
  /// Something happened since the last frame.
  private var isDirty = true
  private var lastFrame = -1.0

  /// Seconds between frames.
  private static let frame = 1.0 / 60

  init(
    _ state: State, inbox: Inbox, screen: TerminalSession, library: LibrarySession,
    pictures: PictureDesk
  ) {
    self.state = state
    self.inbox = inbox
    self.screen = screen
    self.library = library
    self.pictures = pictures
  }

  /// Runs until the user quits or the terminal is gone.
  func run() async {
    perform(state.reduce(.tick, at: Self.now))
    present()
    while !isQuitting {
      let inputs = await inbox.take(within: patience)
      if inbox.isClosed { return }
      if inputs.isEmpty {
        take(.tick)
      } else {
        for input in inputs { take(input) }
      }
      if isDirty, Self.now >= lastFrame + Self.frame { present() }
    }
  }

  /// Seconds until something is due by itself: the next frame of what has changed, or what the state
  /// waits for.
  private var patience: Double? {
    let due = [isDirty ? lastFrame + Self.frame : nil, state.wake].compactMap(\.self).min()
    return due.map { max(0, $0 - Self.now) }
  }

  private func take(_ input: Input) {
    // A tick that nothing waits for is the frame clock: nothing has changed by it.
    if case .tick = input, (state.wake ?? .infinity) > Self.now { return }
    perform(state.reduce(input, at: Self.now))
    isDirty = true
  }

  private func present() {
    isDirty = false
    lastFrame = Self.now
    screen.present(state.draw().buffer)
    library.watch(state.watchedRecords)
  }

  private func perform(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .quit: isQuitting = true
      case .redraw: isDirty = true
      case .suspend: screen.suspend()
      case .decode(let keys): pictures.want(keys)
      default: library.perform(effect)
      }
    }
  }

  private static var now: Double { Double(Machine.monotonicNanoseconds) / 1e9 }
}
