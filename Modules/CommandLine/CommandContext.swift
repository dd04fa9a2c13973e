/// A command together with the commands above it, for help, completion scripts and the manual page.
struct CommandContext {
  /// The commands from the root to `command`; never empty.
  let commands: [Command]

  init(_ commands: [Command]) { self.commands = commands }

  var command: Command { commands[commands.count - 1] }
  var isRoot: Bool { commands.count == 1 }
  /// The names of the commands, separated by spaces: `imgdl-cli daemon start`.
  var fullName: String { commands.map(\.name).joined(separator: " ") }

  var subcommands: [Command] { commandGroups.flatMap(\.commands) }

  /// The groups of subcommands to list, without hidden commands and empty groups.
  var commandGroups: [CommandGroup] {
    command.commandGroups.compactMap { group in
      let listed = group.commands.filter { !$0.isHidden }
      return listed.isEmpty ? nil : CommandGroup(group.heading, listed)
    }
  }

  /// The command and all commands below it in the order of the description, without hidden ones.
  var tree: [CommandContext] {
    [self] + subcommands.flatMap { CommandContext(commands + [$0]).tree }
  }

  /// The groups of options to list, without hidden options: the groups of the command, with `--help` (and
  /// `--version`) after its plain options, followed by those of the commands above it.
  var groups: [OptionGroup] { ownGroups + inheritedGroups }

  var ownGroups: [OptionGroup] {
    var groups = command.groups
    let standard: [Option] = command.version == nil ? [.help] : [.help, .version]
    if let index = groups.firstIndex(where: { $0.heading == "Options" }) {
      groups[index].options += standard
    } else {
      groups.append(OptionGroup(groups.isEmpty ? "Options" : "Other options", standard))
    }
    return groups.compactMap(\.visible)
  }

  var inheritedGroups: [OptionGroup] {
    commands.dropLast().reversed().flatMap(\.groups).compactMap(\.visible).map { group in
      OptionGroup(group.heading == "Options" ? "Global options" : group.heading, group.options)
    }
  }

  /// All options that the command accepts, without hidden ones; options of the command itself come first.
  var options: [Option] {
    let rootVersion = !isRoot && commands[0].version != nil ? [Option.version] : []
    return groups.flatMap(\.options) + rootVersion
  }

  /// The usage line: `imgdl-cli add [OPTIONS] SOURCE...`.
  var usage: String {
    var words = [fullName, "[OPTIONS]"]
    if !command.subcommands.isEmpty { words.append("COMMAND") }
    return (words + command.arguments.map(\.usage)).joined(separator: " ")
  }
}

extension OptionGroup {
  fileprivate var visible: OptionGroup? {
    let shown = options.filter { !$0.isHidden }
    return shown.isEmpty ? nil : OptionGroup(heading, shown)
  }
}

extension Option {
  /// The option in the help text: `-j, --jobs N`; an option without a short name is indented.
  var usage: String {
    let start = short.map { "-\($0), " } ?? "    "
    return start + "--\(name)" + (value.map { " \($0.name)" } ?? "")
  }

  /// The summary, followed by a note about valid values and the default.
  var fullSummary: String {
    guard let value else { return summary }
    var notes = [value.kind.note].compactMap(\.self)
    if let defaultText = value.defaultText { notes.append("default \(defaultText)") }
    if value.isRepeatable { notes.append("repeatable") }
    return notes.isEmpty ? summary : "\(summary) [\(notes.joined(separator: "; "))]"
  }
}
