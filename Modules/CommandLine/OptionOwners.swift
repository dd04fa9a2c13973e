import Models

/// The commands of a program that have an option, for the message about an option of another command.
struct OptionOwners {
  /// The paths of the commands as they are typed, by the name of the option, in the order of the description.
  private var commands: [String: [String]] = [:]
  /// The maximum number of commands that are listed.
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

  /// Returns the subject and verb of a sentence: `add has`, `add, fetch have`; nil if no command has the
  /// option.
  func sentence(of name: String) -> String? {
    guard let owners = commands[name] else { return nil }
    let shown = owners.prefix(Self.maximumListedCommands).joined(separator: ", ")
    let others = owners.count - Self.maximumListedCommands
    if others > 0 { return "\(shown) and \(others) more commands have" }
    return "\(shown) \(owners.count == 1 ? "has" : "have")"
  }
}
