/// A manual page of section 1 in roff, generated from the description of a program.
public struct ManualPage: Sendable {
  /// An additional section, such as EXIT STATUS or FILES, which the description does not contain.
  public struct Section: Sendable {
    public var title: String
    /// The entries, each with a term and its explanation.
    public var entries: [(term: String, text: String)]

    public init(_ title: String, _ entries: [(term: String, text: String)]) {
      self.title = title
      self.entries = entries
    }
  }

  public var command: Command
  public var sections: [Section]

  public init(_ command: Command, sections: [Section] = []) {
    self.command = command
    self.sections = sections
  }

  /// Returns the source text of the page.
  public func render() -> String {
    let root = CommandContext([command])
    let title = command.name.uppercased()
    let source = [command.name, command.version].compactMap(\.self).joined(separator: " ")
    var page = Roff()
    page.request("TH", title, "1", "", source, "User Commands")
    page.request("SH", "NAME")
    page.text("\(command.name) - \(command.summary)")
    page.request("SH", "SYNOPSIS")
    page.bold(root.usage)
    describe(command, in: &page)
    write(root.ownGroups, heading: "SH", in: &page)
    if !command.subcommands.isEmpty { page.request("SH", "COMMANDS") }
    for context in root.tree.dropFirst() { write(context, in: &page) }
    write(command.examples, in: &page)
    for section in sections {
      page.request("SH", section.title)
      for entry in section.entries { page.entry(entry.term, entry.text) }
    }
    return page.source
  }

  private func describe(_ command: Command, in page: inout Roff) {
    guard !command.discussion.isEmpty else { return }
    page.request("SH", "DESCRIPTION")
    page.paragraphs(command.discussion)
  }

  private func write(_ context: CommandContext, in page: inout Roff) {
    page.request("SS", String(context.usage.dropFirst(command.name.count + 1)))
    page.text(context.command.summary)
    page.paragraphs(context.command.discussion)
    for argument in context.command.arguments {
      page.entry(argument.usage, argument.fullSummary)
    }
    for option in context.ownGroups.flatMap(\.options) where option != .help {
      page.entry(option.manualTerm, option.fullSummary)
    }
  }

  private func write(_ groups: [OptionGroup], heading: String, in page: inout Roff) {
    for group in groups {
      page.request(heading, group.heading.uppercased())
      for option in group.options { page.entry(option.manualTerm, option.fullSummary) }
    }
  }

  private func write(_ examples: [Command.Example], in page: inout Roff) {
    guard !examples.isEmpty else { return }
    page.request("SH", "EXAMPLES")
    for example in examples { page.entry(example.line, example.explanation) }
  }
}

extension Option {
  fileprivate var manualTerm: String { String(usage.drop { $0 == " " }) }
}

/// Roff source under construction. All text is escaped when it is appended.
private struct Roff {
  var source = ""

  mutating func request(_ name: String, _ arguments: String...) {
    let quoted = arguments.map {
      "\"\(Self.escape($0).split(separator: "\"").joined(separator: "\\(dq"))\""
    }
    source += ([".\(name)"] + quoted).joined(separator: " ") + "\n"
  }

  mutating func text(_ text: String) { source += Self.escapeLine(text) + "\n" }

  mutating func bold(_ text: String) { source += "\\fB\(Self.escape(text))\\fR\n" }

  mutating func entry(_ term: String, _ text: String) {
    source += ".TP\n"
    bold(term)
    self.text(text)
  }

  mutating func paragraphs(_ discussion: String) {
    for paragraph in Paragraph.parse(discussion) {
      source += ".PP\n"
      switch paragraph {
      case .flowing(let text): self.text(text)
      case .literal(let lines):
        source += ".nf\n"
        for line in lines { text(line) }
        source += ".fi\n"
      }
    }
  }

  /// Escapes characters that roff interprets within a line: backslashes and dashes.
  private static func escape(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "\n": escaped += " "
      default: escaped.append(character)
      }
    }
    return escaped
  }

  /// Escapes a line. Without the escape, a full stop or an apostrophe at its start would begin a roff
  /// request.
  private static func escapeLine(_ text: String) -> String {
    let escaped = escape(text)
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}
