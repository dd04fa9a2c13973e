/// The description of a command as a value. Parsing, help, completion scripts and the manual page are all
/// derived from this description, so that they cannot contradict each other.
///
/// A command has either arguments or subcommands. The options of a command are accepted by all commands below
/// it, before or after the name of the subcommand.
public struct Command: Sendable, Hashable {
  public var name: String
  /// The line that describes the command in lists of commands.
  public var summary: String
  /// The description in paragraphs, separated by blank lines. Lines that start with a space keep their line
  /// breaks.
  public var discussion: String
  public var arguments: [Argument]
  public var groups: [OptionGroup]
  public var commandGroups: [CommandGroup]
  public var examples: [Example]
  /// Whether the command is neither listed nor suggested. A hidden command can be run.
  public var isHidden: Bool
  /// Sentences about words that users know from other programs, by the word: `ls` in place of a command, `--exec` in
  /// place of an option.
  public var hints: [String: String]
  /// The version of the program, set on its root command. The program then accepts `--version` and `-V`.
  public var version: String?

  public init(
    _ name: String, _ summary: String, discussion: String = "", version: String? = nil,
    arguments: [Argument] = [], options: [Option] = [], groups: [OptionGroup] = [],
    subcommands: [Command] = [], commandGroups: [CommandGroup] = [], examples: [Example] = [],
    isHidden: Bool = false, hints: [String: String] = [:]
  ) {
    self.name = name
    self.summary = summary
    self.hints = hints
    self.discussion = discussion
    self.version = version
    self.arguments = arguments
    self.groups = (options.isEmpty ? [] : [OptionGroup("Options", options)]) + groups
    self.commandGroups =
      (subcommands.isEmpty ? [] : [CommandGroup("Commands", subcommands)]) + commandGroups
    self.examples = examples
    self.isHidden = isHidden
  }

  /// The commands of all groups, in order.
  public var subcommands: [Command] { commandGroups.flatMap(\.commands) }

  /// A command line and an explanation of its effect.
  public struct Example: Sendable, Hashable {
    public var line: String
    public var explanation: String

    public init(_ line: String, _ explanation: String) {
      self.line = line
      self.explanation = explanation
    }
  }
}

/// Subcommands under one heading of the help text.
public struct CommandGroup: Sendable, Hashable {
  public var heading: String
  public var commands: [Command]

  public init(_ heading: String, _ commands: [Command]) {
    self.heading = heading
    self.commands = commands
  }
}

/// Options under one heading of the help text.
public struct OptionGroup: Sendable, Hashable {
  public var heading: String
  public var options: [Option]

  public init(_ heading: String, _ options: [Option]) {
    self.heading = heading
    self.options = options
  }
}
