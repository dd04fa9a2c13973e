/// Scripts that complete the commands, options and values of a program in a shell.
public enum Completion {
  public enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish

    /// Returns the file name under which the shell looks for the script.
    public func fileName(for program: String) -> String {
      switch self {
      case .bash: program
      case .zsh: "_\(program)"
      case .fish: "\(program).fish"
      }
    }
  }

  /// Returns the script for a shell; hidden commands and options are left out.
  public static func script(for command: Command, shell: Shell) -> String {
    let root = CommandContext([command])
    return switch shell {
    case .bash: BashCompletion(root: root).render()
    case .zsh: ZshCompletion(root: root).render()
    case .fish: FishCompletion(root: root).render()
    }
  }
}

extension CommandContext {
  /// The names and summaries of the subcommands, `help` included.
  var commandWords: [(name: String, summary: String)] {
    guard !subcommands.isEmpty else { return [] }
    return subcommands.map { ($0.name, $0.summary) } + [("help", "Show the help of a command.")]
  }

  /// The words that are valid values of the command's arguments.
  var argumentChoices: [String] { command.arguments.flatMap(\.kind.choices) }

  /// Whether an argument of the command is a path.
  var takesFiles: Bool { command.arguments.contains { [.file, .directory].contains($0.kind) } }

  /// A name for a shell function: `_imgdl_cli_daemon_start`.
  var functionName: String {
    "_"
      + fullName.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()
  }
}

extension Option {
  /// The option as it is typed: `-j` and `--jobs`.
  var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + ["--\(name)"] }
}

extension String {
  /// The text in single quotes for a POSIX shell.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
