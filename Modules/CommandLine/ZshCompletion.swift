/// The completion script for zsh: one function per command, which calls `_arguments`.
struct ZshCompletion {
  let root: CommandContext

  func render() -> String {
    let functions = root.tree.map(function).joined(separator: "\n")
    return """
      #compdef \(root.fullName)
      # zsh completion for \(root.fullName)
      \(functions)
      if [[ $funcstack[1] == \(root.functionName) ]]; then
        \(root.functionName) "$@"
      else
        compdef \(root.functionName) \(root.fullName)
      fi

      """
  }

  private func function(for context: CommandContext) -> String {
    context.subcommands.isEmpty ? leaf(context) : branch(context)
  }

  private func leaf(_ context: CommandContext) -> String {
    return """
      \(context.functionName)() {
        _arguments -s -S \\
      \(specifications(context, then: arguments(of: context.command)))
      }
      """
  }

  /// Returns the specifications of the arguments up to a repeated one, after which zsh accepts no other.
  private func arguments(of command: Command) -> [String] {
    let single = command.arguments.prefix { $0.arity.maximum == 1 }
    return command.arguments.prefix(single.count + 1).map { argument in
      let start = argument.arity.maximum > 1 ? "*:" : argument.arity.minimum == 0 ? "::" : ":"
      return "\(start)\(Self.escape(argument.name)):\(action(for: argument.kind))".shellQuoted
    }
  }

  private func branch(_ context: CommandContext) -> String {
    let described = context.commandWords.map { word in
      "    " + "\(word.name):\(Self.escape(word.summary))".shellQuoted
    }
    let cases = context.subcommands.map { command in
      let next = CommandContext(context.commands + [command])
      return "        \(command.name)) \(next.functionName) ;;"
    }
    return """
      \(context.functionName)() {
        local curcontext="$curcontext" context state state_descr line
        typeset -A opt_args
        local -a commands=(
      \(described.joined(separator: "\n"))
        )
        _arguments -s -S -C \\
      \(specifications(context, then: ["'1:command:->command'", "'*::argument:->argument'"]))
        case $state in
          command) _describe -t commands command commands ;;
          argument)
            case $line[1] in
      \(cases.joined(separator: "\n"))
              help) _describe -t commands command commands ;;
            esac ;;
        esac
      }
      """
  }

  private func specifications(_ context: CommandContext, then arguments: [String]) -> String {
    (context.options.map(specification) + arguments)
      .map { "    " + $0 }.joined(separator: " \\\n")
  }

  /// Returns the specification of an option, such as `'(-j --jobs)'{-j+,--jobs=}'[summary]:N: '`.
  private func specification(for option: Option) -> String {
    let isRepeatable = option.value?.isRepeatable ?? false
    let exclusion = isRepeatable ? "*" : "(\(option.spellings.joined(separator: " ")))"
    let tail = "[\(Self.escape(option.summary))]" + valueTail(option)
    let long = "--\(option.name)" + (option.value == nil ? "" : "=")
    guard let short = option.short else { return "\(exclusion)\(long)\(tail)".shellQuoted }
    let brief = "-\(short)" + (option.value == nil ? "" : "+")
    return "\(exclusion.shellQuoted){\(brief),\(long)}\(tail.shellQuoted)"
  }

  private func valueTail(_ option: Option) -> String {
    guard let value = option.value else { return "" }
    return ":\(Self.escape(value.name)):\(action(for: value.kind))"
  }

  private func action(for kind: ValueKind) -> String {
    switch kind {
    case .file: "_files"
    case .directory: "_files -/"
    case .choice(let words): "(\(words.joined(separator: " ")))"
    case .text, .integer, .byteSize, .duration: " "
    }
  }

  /// Escapes the colons and brackets of a text, which would separate the parts of a specification.
  private static func escape(_ text: String) -> String {
    text.map { "\\:[]".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
