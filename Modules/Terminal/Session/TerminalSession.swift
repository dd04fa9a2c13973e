/// The terminal while a program draws on it.
///
/// A thread of its own reads, compares and writes, so that no caller ever waits for the terminal.
/// Frames are never queued: while one is on its way, only the newest of the next ones is kept, and it
/// is compared with what the terminal was really sent. However the program ends, short of SIGKILL,
/// the terminal is given back as it was.
///
/// One session at a time in a process.
public final class TerminalSession: Sendable {
  private let shared: SessionState

  /// What users do. For one reader.
  public let events: TerminalEvents

  private init(_ shared: SessionState) {
    self.shared = shared
    events = TerminalEvents(queue: shared.events)
  }

  deinit { shared.ask(.close) }

  /// Takes the terminal: finds out what it can do (a few milliseconds; at most
  /// `TerminalOptions.probeTimeout`), then clears the screen.
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

  /// What the terminal can do, as far as it has said.
  public var capabilities: Capabilities { shared.facts.capabilities }

  /// The terminal's size in cells.
  public var size: Size { shared.facts.size }

  /// Shows a screen as soon as the terminal is ready for it. Returns at once; a screen that was
  /// given before and has not been started is dropped. One that is larger than the terminal is too:
  /// the event `resize` is on its way then.
  public func present(_ buffer: CellBuffer) { shared.present(buffer) }

  /// Gives the terminal back and stops the process, as Ctrl-Z does; the event `resumed` comes when
  /// it continues.
  public func suspend() { shared.ask(.suspend) }

  /// Draws the next screen as if nothing were on the terminal: something else may have written to it.
  public func redraw() { shared.ask(.redraw) }

  /// Gives the terminal back. Returns when that is done; `events` ends.
  @concurrent
  public func close() async {
    shared.ask(.close)
    await shared.hasEnded()
  }

  /// Frames and bytes so far.
  public var statistics: Statistics { shared.facts.statistics }

  public struct Statistics: Sendable, Hashable {
    /// Frames that were written, those without a difference not counted.
    public var frames = 0
    /// Screens that were given and never begun, because a newer one came.
    public var dropped = 0
    /// Bytes of all frames.
    public var bytes = 0
  }
}
