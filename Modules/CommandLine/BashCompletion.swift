/// The completion script for bash: one function that determines the command on the line and completes its
/// words. The script needs bash 4, but not the package bash-completion.
struct BashCompletion {
  let root: CommandContext

  func render() -> String {
    let function = root.functionName
    return """
      # bash completion for \(root.fullName)
      \(function)() {
        local current="${COMP_WORDS[COMP_CWORD]}" previous="" command="" index
        [[ $COMP_CWORD -gt 0 ]] && previous="${COMP_WORDS[COMP_CWORD-1]}"
        # Bash splits --option=value at the equals sign.
        if [[ $current == "=" ]]; then
          current=""
        elif [[ $previous == "=" && $COMP_CWORD -gt 1 ]]; then
          previous="${COMP_WORDS[COMP_CWORD-2]}"
        fi
        for ((index = 1; index < COMP_CWORD; index++)); do
          case "$command ${COMP_WORDS[index]}" in
      \(commandCases)
          esac
        done
        COMPREPLY=()
        case "$command:$previous" in
      \(valueCases)
        esac
        local words="" files=""
        case "$command" in
      \(wordCases)
        esac
        if [[ $current == -* || -z $files ]]; then
          mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        else
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen -f -- "$current")
        fi
      }
      complete -F \(function) \(root.fullName)

      """
  }

  /// The cases that append a word to the command's path: `" daemon start") command=" daemon start" ;;`.
  private var commandCases: String {
    root.tree.dropFirst().map { context in
      let key = context.key
      return "      \(key.shellQuoted)) command=\(key.shellQuoted) ;;"
    }.joined(separator: "\n")
  }

  /// The cases that complete the value of an option if the option is the word before the cursor.
  private var valueCases: String {
    root.tree.flatMap { context in
      context.options.compactMap { option -> String? in
        guard let value = option.value else { return nil }
        let patterns = option.spellings.map { "\(context.key):\($0)".shellQuoted }
        return "    \(patterns.joined(separator: "|"))) \(reply(to: value.kind)); return ;;"
      }
    }.joined(separator: "\n")
  }

  private func reply(to kind: ValueKind) -> String {
    switch kind {
    case .file: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
    case .directory: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$current\")"
    case .choice(let words):
      "mapfile -t COMPREPLY < <(compgen -W \(words.joined(separator: " ").shellQuoted)"
        + " -- \"$current\")"
    case .text, .integer, .byteSize, .duration: ":"
    }
  }

  /// The cases that list the words of each command. Options are also offered before a dash is typed, unless
  /// the arguments of the command are files.
  private var wordCases: String {
    root.tree.map { context in
      let words =
        (context.commandWords.map(\.name) + context.argumentChoices
        + context.options.flatMap(\.spellings)).joined(separator: " ").shellQuoted
      let files = context.takesFiles ? " files=yes" : ""
      return "    \(context.key.shellQuoted)) words=\(words)\(files) ;;"
    }.joined(separator: "\n")
  }
}

extension CommandContext {
  /// The path of the command in the script: `" daemon start"`; empty for the root command.
  fileprivate var key: String { commands.dropFirst().map { " " + $0.name }.joined() }
}
