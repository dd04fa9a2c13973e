/// One option: a flag (`--quiet`), or an option with a value (`--jobs N`).
public struct Option: Sendable, Hashable {
  /// The long name without dashes, by which ``Invocation``'s getters find the option.
  public var name: String
  public var short: Character?
  /// Further long names, which are accepted but not listed in the help text.
  public var aliases: [String]
  public var summary: String
  /// The value of the option; nil for a flag.
  public var value: Value?
  /// Whether the option is neither listed nor suggested. A hidden option is accepted.
  public var isHidden: Bool

  /// The description of an option's value.
  public struct Value: Sendable, Hashable {
    /// The placeholder in the help text: `N`, `FILE`, `KEY=VALUE`.
    public var name: String
    public var kind: ValueKind
    /// The value that the getters return if the option is not given.
    public var defaultText: String?
    /// Whether all given values are used, in order; otherwise only the last one is.
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

  /// All long names, beginning with the one that the help text shows.
  var names: [String] { [name] + aliases }

  /// The option `-h, --help`, which every command accepts.
  static let help = flag("help", short: "h", "Show this help and exit.")
  /// The option `-V, --version`, which every command of a program with a version accepts.
  static let version = flag("version", short: "V", "Show the version and exit.")
}
