/// The completion script for fish: one `complete` line per option, with a condition on the command.
struct FishCompletion {
  let root: CommandContext

  func render() -> String {
    let program = root.fullName
    let lines = root.tree.flatMap(lines)
    return """
      # fish completion for \(program)
      function \(root.functionName)_at
        # Whether the words of the line, options and their values left out, begin with these
        # commands (and, for a command that has commands below it, with no more).
        set -l words
        set -l skip no
        for word in (commandline -opc)[2..-1]
          if test $skip = yes
            set skip no
          else if contains -- $word \(valueSpellings)
            set skip yes
          else if not string match -q -- '-*' $word
            set -a words $word
          end
        end
        set -l path $argv[2..-1]
        set -l count (count $path)
        if test $count -gt 0
          test (count $words) -ge $count; or return 1
          test "$words[1..$count]" = "$path"; or return 1
        end
        test $argv[1] = leaf; or test (count $words) -eq $count
      end
      complete -c \(program) -e
      \(lines.map { "complete -c \(program) " + $0 }.joined(separator: "\n"))

      """
  }

  /// The spellings of all options of the program that take a value, separated by spaces.
  private var valueSpellings: String {
    let options = root.tree.flatMap(\.options).filter { $0.value != nil }
    return Set(options.flatMap(\.spellings)).sorted().joined(separator: " ")
  }

  private func lines(for context: CommandContext) -> [String] {
    let kind = context.subcommands.isEmpty ? "leaf" : "branch"
    let words = [kind] + context.commands.dropFirst().map(\.name)
    let condition = "-n \("\(root.functionName)_at \(words.joined(separator: " "))".fishQuoted)"
    let commands = context.commandWords.map { word in
      "\(condition) -a \(word.name) -d \(word.summary.fishQuoted)"
    }
    let choices = context.argumentChoices.map { "\(condition) -a \($0)" }
    let noFiles = context.takesFiles ? [] : ["\(condition) -f"]
    return noFiles + commands + choices + context.options.map { "\(condition) \(parts(of: $0))" }
  }

  private func parts(of option: Option) -> String {
    var parts = option.short.map { ["-s \($0)"] } ?? []
    parts.append("-l \(option.name)")
    if let value = option.value {
      switch value.kind {
      case .file: parts.append("-r -F")
      case .directory: parts.append("-x -a '(__fish_complete_directories)'")
      case .choice(let words): parts.append("-x -a \(words.joined(separator: " ").fishQuoted)")
      case .text, .integer, .byteSize, .duration: parts.append("-x")
      }
    }
    return (parts + ["-d \(option.summary.fishQuoted)"]).joined(separator: " ")
  }
}

extension String {
  /// The text in single quotes for fish, where `'` and `\` must be escaped.
  fileprivate var fishQuoted: String {
    "'" + map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
