/// Scripts that teach a shell to complete a program's commands, options and values.
public enum Completion {
  public enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish

    /// The name of the file that the shell looks for.
    public func fileName(for program: String) -> String {
      switch self {
      case .bash: program
      case .zsh: "_\(program)"
      case .fish: "\(program).fish"
      }
    }
  }

  /// The script for one shell; hidden commands and options are left out.
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
  /// The words that may follow as a command's name.
  var commandWords: [(name: String, summary: String)] {
    guard !subcommands.isEmpty else { return [] }
    return subcommands.map { ($0.name, $0.summary) } + [("help", "Show the help of a command.")]
  }

  /// The words of which an argument of the command is one.
  var argumentChoices: [String] { command.arguments.flatMap(\.kind.choices) }

  /// Whether names of files are arguments of the command.
  var takesFiles: Bool { command.arguments.contains { [.file, .directory].contains($0.kind) } }

  /// `_imgdl_cli_daemon_start`: a name for a shell function.
  var functionName: String {
    "_"
      + fullName.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()
  }
}

extension Option {
  /// `-j` and `--jobs`, as typed.
  var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + ["--\(name)"] }
}

extension String {
  /// In single quotes for a POSIX shell.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
