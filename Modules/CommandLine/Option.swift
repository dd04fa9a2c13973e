/// One option: a flag (`--quiet`), or an option with a value (`--jobs N`).
public struct Option: Sendable, Hashable {
  /// The long name without dashes. It is also the key for ``Invocation``'s getters.
  public var name: String
  public var short: Character?
  /// Further long names, which are accepted but not listed.
  public var aliases: [String]
  public var summary: String
  /// The value of the option; nil for a flag.
  public var value: Value?
  /// A hidden option works, but is neither listed nor suggested.
  public var isHidden: Bool

  /// The value of an option.
  public struct Value: Sendable, Hashable {
    /// The placeholder in the help text: `N`, `FILE`, `KEY=VALUE`.
    public var name: String
    public var kind: ValueKind
    /// The value that the getters return if the option is not given.
    public var defaultText: String?
    /// Whether all given values are used, in order; otherwise the last one is.
    public var isRepeatable: Bool
  }

  public static func flag(
    _ name: String, short: Character? = nil, aliases: [String] = [], _ summary: String,
    isHidden: Bool = false
  ) -> Option {
    Option(
      name: name, short: short, aliases: aliases, summary: summary, value: nil, isHidden: isHidden)
  }

  public static func value(
    _ name: String, short: Character? = nil, aliases: [String] = [], _ valueName: String,
    _ kind: ValueKind, _ summary: String, default defaultText: String? = nil,
    isRepeatable: Bool = false, isHidden: Bool = false
  ) -> Option {
    let value = Value(
      name: valueName, kind: kind, defaultText: defaultText, isRepeatable: isRepeatable)
    return Option(
      name: name, short: short, aliases: aliases, summary: summary, value: value,
      isHidden: isHidden)
  }

  /// All long names, beginning with the one in the help text.
  var names: [String] { [name] + aliases }

  /// `-h, --help`, understood by every command.
  static let help = flag("help", short: "h", "Show this help and exit.")
  /// `-V, --version`, understood by a command that has a version.
  static let version = flag("version", short: "V", "Show the version and exit.")
}
