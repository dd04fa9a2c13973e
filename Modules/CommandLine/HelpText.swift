extension Invocation {
  /// Returns the help of the chosen command, in lines of at most `width` columns (never less than 40).
  public func helpText(width: Int = 80) -> String {
    HelpText(context: CommandContext(commands), width: width).render()
  }
}

extension Command {
  /// Returns the help of this command as the root of its program.
  public func helpText(width: Int = 80) -> String {
    HelpText(context: CommandContext([self]), width: width).render()
  }
}

/// The help text of a command: usage, summary, arguments, commands, options, examples. The text ends with a
/// line break.
private struct HelpText {
  let context: CommandContext
  let width: Int

  init(context: CommandContext, width: Int) {
    self.context = context
    self.width = max(40, width)
  }

  func render() -> String {
    let command = context.command
    var blocks = [wrap("Usage: " + context.usage, indent: 0, hanging: 7)]
    blocks.append(wrap(command.summary, indent: 0))
    blocks += Paragraph.parse(command.discussion).map(text)
    blocks.append(
      table("Arguments", command.arguments.map { ($0.usage, $0.fullSummary) }))
    blocks += commandTables
    let optionColumn = textColumn(forNames: context.groups.flatMap(\.options).map(\.usage))
    for group in context.groups {
      let rows = group.options.map { ($0.usage, $0.fullSummary) }
      blocks.append(table(group.heading, rows, column: optionColumn))
    }
    blocks.append(examples)
    return blocks.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// One table for each group of commands; `help` is the last row of the last table.
  private var commandTables: [String] {
    var groups = context.commandGroups.map { group in
      (group.heading, rows: group.commands.map { ($0.name, $0.summary) })
    }
    guard let last = groups.indices.last else { return [] }
    groups[last].rows.append(("help", "Show the help of a command."))
    let column = textColumn(forNames: groups.flatMap(\.rows).map(\.0))
    return groups.map { table($0.0, $0.rows, column: column) }
  }

  private var examples: String {
    guard !context.command.examples.isEmpty else { return "" }
    let entries = context.command.examples.map { example in
      "  \(example.line)\n" + wrap(example.explanation, indent: 6)
    }
    return "Examples:\n" + entries.joined()
  }

  private func text(_ paragraph: Paragraph) -> String {
    switch paragraph {
    case .flowing(let text): wrap(text, indent: 0)
    case .literal(let lines): lines.map { $0 + "\n" }.joined()
    }
  }

  /// Returns a table with names on the left and texts on the right; a name that is too long has a line of its
  /// own.
  private func table(
    _ heading: String, _ rows: [(name: String, text: String)], column: Int? = nil
  ) -> String {
    guard !rows.isEmpty else { return "" }
    let column = column ?? self.textColumn(forNames: rows.map(\.name))
    let lines = rows.map { row in
      let name = "  " + row.name
      let text = wrap(row.text, indent: column)
      guard row.name.count + 4 <= column else { return "\(name)\n\(text)" }
      return name + text.dropFirst(name.count)
    }
    return "\(heading):\n" + lines.joined()
  }

  /// Returns the column at which texts begin: 4 columns after the longest name, or after a third of the width
  /// if the longest name is longer than that.
  private func textColumn(forNames names: [String]) -> Int {
    min(names.map(\.count).max() ?? 0, width / 3) + 4
  }

  /// Breaks a text into lines of at most `width` columns. Lines are indented by `indent`; lines after the
  /// first by `hanging` in addition.
  private func wrap(_ text: String, indent: Int, hanging: Int = 0) -> String {
    var lines: [String] = []
    var line = String(repeating: " ", count: indent)
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = String(repeating: " ", count: indent + hanging)
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return (lines + [line]).map { $0 + "\n" }.joined()
  }
}

/// A paragraph of a discussion.
enum Paragraph: Equatable {
  case flowing(String)
  /// Lines that all begin with a space, which are shown unchanged.
  case literal([String])

  static func parse(_ discussion: String) -> [Paragraph] {
    let lines = discussion.split(separator: "\n", omittingEmptySubsequences: false)
    let blocks = lines.split { $0.allSatisfy(\.isWhitespace) }
    return blocks.map { block in
      if block.allSatisfy({ $0.hasPrefix(" ") }) { return .literal(block.map(String.init)) }
      return .flowing(block.joined(separator: " "))
    }
  }
}
