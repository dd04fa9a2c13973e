/// One command, described by value. Parsing, help, completion scripts and the manual page all come
/// from this description, so that they cannot disagree.
///
/// A command either has arguments of its own or subcommands. Options of a command are accepted by
/// all commands below it, before or after the subcommand's name.
public struct Command: Sendable, Hashable {
  public var name: String
  /// One line, for lists of commands.
  public var summary: String
  /// Paragraphs, separated by blank lines. Lines that start with a space keep their line break.
  public var discussion: String
  public var arguments: [Argument]
  public var groups: [OptionGroup]
  public var commandGroups: [CommandGroup]
  public var examples: [Example]
  /// A hidden command works, but is neither listed nor suggested.
  public var isHidden: Bool
  /// Set on a program's root command: `--version` and `-V` are then understood.
  public var version: String?

  public init(
    _ name: String, _ summary: String, discussion: String = "", version: String? = nil,
    arguments: [Argument] = [], options: [Option] = [], groups: [OptionGroup] = [],
    subcommands: [Command] = [], commandGroups: [CommandGroup] = [], examples: [Example] = [],
    isHidden: Bool = false
  ) {
    self.name = name
    self.summary = summary
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

  /// A line to type, and what it does.
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
