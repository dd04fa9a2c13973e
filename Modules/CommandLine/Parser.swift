import Models

extension Command {
  /// Parses a command line (without the program's name) by the GNU conventions: `--opt value`, `--opt=value`,
  /// `-j 8`, `-j8`, bundled flags `-qn`, and options after arguments. `--` ends the options, and `-` alone is
  /// an argument. Abbreviated long names are not accepted, but the full name is suggested.
  public func parse(_ words: [String]) throws(UsageError) -> Invocation {
    var parser = Parser(root: self, words: words)
    return try parser.run()
  }
}

/// One pass over the words of a command line.
private struct Parser {
  var words: ArraySlice<String>
  var invocation: Invocation
  var optionsEnded = false

  init(root: Command, words: [String]) {
    self.words = words[...]
    invocation = Invocation(root: root)
  }

  mutating func run() throws(UsageError) -> Invocation {
    while invocation.request == .run, let word = words.popFirst() {
      if optionsEnded || word == "-" || !word.hasPrefix("-") {
        try readPositional(word)
      } else if word == "--" {
        optionsEnded = true
      } else if word.hasPrefix("--") {
        try readLong(word.dropFirst(2))
      } else {
        try readShort(word.dropFirst())
      }
    }
    if invocation.request == .run { try checkComplete() }
    return invocation
  }

  /// The innermost command that has been read. The list of commands is never empty.
  private var command: Command { invocation.commands[invocation.commands.count - 1] }

  private mutating func readPositional(_ word: String) throws(UsageError) {
    guard !command.subcommands.isEmpty else {
      invocation.arguments.append(word)
      return
    }
    if let next = command.subcommands.first(where: { $0.name == word }) {
      invocation.commands.append(next)
    } else if word == "help" {
      try readHelpTopic()
    } else if let hint = command.hints[word] {
      throw error(.unknownCommand, "unknown command \(word.quoted); \(hint)")
    } else {
      let known = command.subcommands.filter { !$0.isHidden }.map(\.name) + ["help"]
      throw error(
        .unknownCommand, "unknown command \(word.quoted)",
        suggestion: Suggestion.nearest(to: word, in: known))
    }
  }

  /// Reads `help`, `help CMD` or `help CMD SUBCOMMAND`: the remaining words name the topic.
  private mutating func readHelpTopic() throws(UsageError) {
    while invocation.request == .run, !command.subcommands.isEmpty, let word = words.popFirst() {
      if word.hasPrefix("-") { continue }
      try readPositional(word)
    }
    invocation.request = .help
  }

  private mutating func readLong(_ text: Substring) throws(UsageError) {
    let name = String(text.prefix { $0 != "=" })
    let attached: String? =
      name.count < text.count ? String(text.dropFirst(name.count + 1)) : nil
    guard let option = option(where: { $0.names.contains(name) }) else {
      throw unknownOption("--\(name)", name)
    }
    if option.value == nil, let attached {
      throw error(.unexpectedValue, "--\(name) takes no value, but got \(attached.quoted)")
    }
    try accept(option, as: "--\(name)", attached: attached)
  }

  private mutating func readShort(_ text: Substring) throws(UsageError) {
    var rest = text
    while invocation.request == .run, let letter = rest.popFirst() {
      guard let option = option(where: { $0.short == letter }) else {
        // The user may have typed a long option with a single dash, such as `-retry 3`; the error then
        // suggests the option with two dashes.
        let name = String(text.prefix { $0 != "=" })
        let isWhole = rest.utf8.count == text.utf8.count - String(letter).utf8.count
        if isWhole, name.count > 2, let error = knownOption(like: name, typed: "-\(name)") {
          throw error
        }
        throw error(.unknownOption, "unknown option \("-\(letter)".quoted)")
      }
      let takesRest = option.value != nil && !rest.isEmpty
      try accept(option, as: "-\(letter)", attached: takesRest ? String(rest) : nil)
      if takesRest { return }
    }
  }

  private func unknownOption(_ spelling: String, _ name: String) -> UsageError {
    knownOption(like: name, typed: spelling)
      ?? error(.unknownOption, "unknown option \(spelling.quoted)")
  }

  /// Returns an error that suggests the nearest option of this command, or else names the commands that have
  /// an option with this or a similar name; nil if there is no such option.
  private func knownOption(like name: String, typed spelling: String) -> UsageError? {
    let message = "unknown option \(spelling.quoted)"
    if let hint = invocation.commands.lazy.compactMap({ $0.hints["--\(name)"] }).first {
      return error(.unknownOption, "\(message); \(hint)")
    }
    let here = reachable.filter { !$0.isHidden }.flatMap(\.names)
    if let nearest = Suggestion.nearest(to: name, in: here) {
      return error(.unknownOption, message, suggestion: "--\(nearest)")
    }
    // An option of another command is not what was meant if several of this one are as near.
    let candidates = Suggestion.allNearest(to: name, in: here)
    if (2...4).contains(candidates.count) {
      let words = candidates.map { "'--\($0)'" }.joined(separator: " or ")
      return error(.unknownOption, "\(message); did you mean \(words)?")
    }
    let elsewhere = OptionOwners(root: invocation.commands[0])
    if let owners = elsewhere.sentence(of: name) {
      let place = invocation.commands.count > 1 ? " of \(command.name)" : ""
      return error(.unknownOption, "\(message)\(place); \(owners) it")
    }
    guard let nearest = elsewhere.nearest(to: name), let owners = elsewhere.sentence(of: nearest)
    else { return nil }
    return error(.unknownOption, "\(message); \(owners) '--\(nearest)'")
  }

  private mutating func accept(
    _ option: Option, as spelling: String, attached: String?
  ) throws(UsageError) {
    if option == .help { return invocation.request = .help }
    if option == .version { return invocation.request = .version }
    guard let value = option.value else {
      invocation.valuesByOption[option.name, default: []].append("")
      return
    }
    let expected = value.kind.expectation
    guard let text = attached ?? words.popFirst() else {
      let detail = expected.map { ", \($0)" } ?? ""
      throw error(.missingValue, "\(spelling) needs a value (\(value.name)\(detail))")
    }
    guard value.kind.accepts(text) else {
      throw invalidValue(text, of: spelling, kind: value.kind)
    }
    invocation.valuesByOption[option.name, default: []].append(text)
  }

  /// The options that the command accepts; those of the innermost command come first.
  private var reachable: [Option] {
    let own = invocation.commands.reversed().flatMap(\.options)
    return own + [.help] + (invocation.commands.first?.version == nil ? [] : [.version])
  }

  private func option(where matches: (Option) -> Bool) -> Option? {
    reachable.first(where: matches)
  }

  private func checkComplete() throws(UsageError) {
    guard command.subcommands.isEmpty else {
      throw error(.missingCommand, "expected a command")
    }
    let required = command.arguments.filter { $0.arity.minimum > 0 }
    if invocation.arguments.count < required.count {
      let missing = required[invocation.arguments.count]
      throw error(.missingArgument, "expected \(missing.expectation)")
    }
    for argument in command.arguments {
      for text in invocation.arguments(named: argument.name) where !argument.kind.accepts(text) {
        throw invalidValue(text, of: argument.name, kind: argument.kind)
      }
    }
    let isOpenEnded = command.arguments.contains { $0.arity.maximum == .max }
    let most = isOpenEnded ? Int.max : command.arguments.count
    if invocation.arguments.count > most {
      throw error(
        .unexpectedArgument, "unexpected argument \(invocation.arguments[most].quoted)")
    }
  }

  private func invalidValue(_ text: String, of name: String, kind: ValueKind) -> UsageError {
    var suggestion: String?
    if case .choice(let words) = kind { suggestion = Suggestion.nearest(to: text, in: words) }
    let expected = kind.expectation ?? "a name"
    return error(
      .invalidValue, "\(name) expects \(expected), not \(text.quoted)", suggestion: suggestion)
  }

  private func error(
    _ code: UsageError.Code, _ message: String, suggestion: String? = nil
  ) -> UsageError {
    invocation.usageError(message, code: code, suggestion: suggestion)
  }
}
