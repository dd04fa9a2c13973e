/// A session in which a program draws on a terminal.
///
/// The session has a thread of its own that reads, compares and writes, so no caller ever waits for the
/// terminal. Frames are not queued: while one is being sent, only the newest of the following ones is kept,
/// and it is compared with the frame that was actually sent. The terminal is restored however the program
/// ends, except by SIGKILL.
///
/// A process can have one session at a time.
public final class TerminalSession: Sendable {
  private let shared: SessionState

  /// The events of the user. Supports one reader.
  public let events: TerminalEvents

  private init(_ shared: SessionState) {
    self.shared = shared
    events = TerminalEvents(queue: shared.events)
  }

  deinit { shared.post(.close) }

  /// Opens a session: determines the capabilities of the terminal, which takes a few milliseconds and at most
  /// `TerminalOptions.probeTimeout`, then clears the screen.
  @concurrent
  public static func open(_ options: TerminalOptions) async throws(TerminalError)
    -> TerminalSession
  {
    if options.environment["TERM"] == "dumb" { throw TerminalError(.cannotDraw) }
    let shared = try SessionState(options)
    try shared.start()
    let session = TerminalSession(shared)
    guard await shared.isReady() else { throw TerminalError(.noTerminal) }
    return session
  }

  /// The capabilities of the terminal according to its replies so far.
  public var capabilities: Capabilities { shared.facts.capabilities }

  /// The terminal's size in cells.
  public var size: Size { shared.facts.size }

  /// Shows a screen as soon as the terminal is ready, and returns at once. An earlier screen that waits to be
  /// sent is dropped, and so is a screen that is larger than the terminal; a `resize` event follows the
  /// latter.
  public func present(_ buffer: CellBuffer) { shared.present(buffer) }

  /// Restores the terminal and stops the process, as Ctrl-Z does. The event `resumed` follows when the
  /// process continues.
  public func suspend() { shared.post(.suspend) }

  /// Draws the next screen in full, because other output may have overwritten the terminal.
  public func redraw() { shared.post(.redraw) }

  /// Restores the terminal, and returns when that is done; `events` ends.
  @concurrent
  public func close() async {
    shared.post(.close)
    await shared.hasEnded()
  }

  /// The numbers of frames and bytes written and of screens dropped since the session began.
  public var statistics: Statistics { shared.facts.statistics }

  public struct Statistics: Sendable, Hashable {
    /// The number of frames written; frames without a difference do not count.
    public var frames = 0
    /// The number of screens dropped in favour of newer ones or because they were too large.
    public var dropped = 0
    /// The number of bytes of all frames.
    public var bytes = 0
  }
}
