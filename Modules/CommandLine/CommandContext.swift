/// A command where it stands in its program: what help, completions and the manual page need.
struct CommandContext {
  /// From the root to the command itself; never empty.
  let commands: [Command]

  init(_ commands: [Command]) { self.commands = commands }

  var command: Command { commands[commands.count - 1] }
  var isRoot: Bool { commands.count == 1 }
  /// `imgdl-cli daemon start`
  var fullName: String { commands.map(\.name).joined(separator: " ") }

  var subcommands: [Command] { commandGroups.flatMap(\.commands) }

  /// The groups to list, hidden commands and empty groups left out.
  var commandGroups: [CommandGroup] {
    command.commandGroups.compactMap { group in
      let listed = group.commands.filter { !$0.isHidden }
      return listed.isEmpty ? nil : CommandGroup(group.heading, listed)
    }
  }

  /// This command and all below it, in order of description, hidden ones left out.
  var tree: [CommandContext] {
    [self] + subcommands.flatMap { CommandContext(commands + [$0]).tree }
  }

  /// The groups to list: the command's own, with `--help` (and `--version`) at the end of its
  /// plain options, then those of the commands above it. Hidden options are left out.
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

  /// Every option that may be typed here and is not hidden, the nearest command's first.
  var options: [Option] {
    let rootVersion = !isRoot && commands[0].version != nil ? [Option.version] : []
    return groups.flatMap(\.options) + rootVersion
  }

  /// `imgdl-cli add [OPTIONS] SOURCE...`
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
  /// `-j, --jobs N`, with room kept for the short name.
  var usage: String {
    let start = short.map { "-\($0), " } ?? "    "
    return start + "--\(name)" + (value.map { " \($0.name)" } ?? "")
  }

  /// The summary with what the value may be, and its default.
  var fullSummary: String {
    guard let value else { return summary }
    var notes = [value.kind.note].compactMap(\.self)
    if let defaultText = value.defaultText { notes.append("default \(defaultText)") }
    if value.isRepeatable { notes.append("repeatable") }
    return notes.isEmpty ? summary : "\(summary) [\(notes.joined(separator: "; "))]"
  }
}
