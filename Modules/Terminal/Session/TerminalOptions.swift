/// The options for opening a terminal.
public struct TerminalOptions: Sendable {
  /// The environment variables of the process: `TERM`, `COLORTERM`, `NO_COLOR`, `TMUX`, `LANG` and others.
  public var environment: [String: String]
  /// A descriptor of the terminal, which the session opens again and never closes; nil for `/dev/tty`.
  public var descriptor: Int32?
  /// Whether the terminal reports clicks, drags and the wheel; otherwise the mouse selects text.
  public var mouse = true
  /// The protocol for images; nil for the best one available.
  public var images: ImageProtocol?
  /// The colour depth; nil for that of the terminal. `NO_COLOR` has precedence.
  public var colours: ColourDepth?
  /// The time that the terminal has to answer queries. Later replies are used as well.
  public var probeTimeout = Duration.milliseconds(500)

  public init(environment: [String: String]) { self.environment = environment }
}
