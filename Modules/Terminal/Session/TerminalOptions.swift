/// How a terminal is opened.
public struct TerminalOptions: Sendable {
  /// The variables of the process: `TERM`, `COLORTERM`, `NO_COLOR`, `TMUX`, `LANG` and others.
  public var environment: [String: String]
  /// A terminal to use instead of `/dev/tty`; it is reopened, and not closed.
  public var descriptor: Int32?
  /// Whether clicks, drags and the wheel are requested; without, the terminal selects text.
  public var mouse = true
  /// A protocol for pictures instead of the best one.
  public var pictures: PictureProtocol?
  /// Colours instead of those that the terminal seems to have. `NO_COLOR` still counts.
  public var colours: ColourDepth?
  /// How long the terminal may take to say what it can do. What comes later counts when it comes.
  public var probeTimeout = Duration.milliseconds(500)

  public init(environment: [String: String]) { self.environment = environment }
}
