import Models

/// Finds the commands that have a given option, for the error about an option of another command.
struct OptionOwners {
  /// The paths of commands, such as `daemon start`, by the name of the option, in the order of the
  /// description.
  private var commands: [String: [String]] = [:]
  /// The maximum number of commands that a message lists.
  private static let maximumListedCommands = 5

  /// - Parameter root: The root command of the program. Its own options are left out, because every command
  ///   accepts them.
  init(root: Command) {
    for context in CommandContext([root]).tree where !context.isRoot {
      let path = context.commands.dropFirst().map(\.name).joined(separator: " ")
      let options = context.command.options.filter { !$0.isHidden }
      for name in options.flatMap(\.names) { commands[name, default: []].append(path) }
    }
  }

  func nearest(to name: String) -> String? {
    Suggestion.nearest(to: name, in: commands.keys.sorted())
  }

  /// Returns `add has` or `add, fetch have`, the beginning of a sentence about the commands with the option;
  /// nil if no command has the option.
  func sentence(of name: String) -> String? {
    guard let owners = commands[name] else { return nil }
    let shown = owners.prefix(Self.maximumListedCommands).joined(separator: ", ")
    let others = owners.count - Self.maximumListedCommands
    if others > 0 { return "\(shown) and \(others) more commands have" }
    return "\(shown) \(owners.count == 1 ? "has" : "have")"
  }
}
