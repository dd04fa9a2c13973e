import Models

/// Which commands of a program have an option, for whoever typed it behind another command.
struct OptionOwners {
  /// By the option's name, in order of description: the commands as they are typed.
  private var commands: [String: [String]] = [:]
  /// More than so many commands are not listed.
  private static let longestList = 5

  /// - Parameter root: its own options may stand behind every command, so they are left out.
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

  /// `add has`, `add, fetch have`; nil if there is no such option.
  func sentence(of name: String) -> String? {
    guard let owners = commands[name] else { return nil }
    let shown = owners.prefix(Self.longestList).joined(separator: ", ")
    let others = owners.count - Self.longestList
    if others > 0 { return "\(shown) and \(others) more have" }
    return "\(shown) \(owners.count == 1 ? "has" : "have")"
  }
}
