/// A command line that was understood: which command, with which options and arguments.
public struct Invocation: Sendable, Hashable {
  /// What to do with it.
  public enum Request: Sendable, Hashable {
    case run
    /// `--help`, `-h` or `help CMD`: show ``Invocation/helpText(width:)``.
    case help
    /// `--version` or `-V`.
    case version
  }

  public internal(set) var request: Request = .run
  /// From the root command to the chosen one.
  public internal(set) var commands: [Command]
  /// All positional arguments, in order.
  public internal(set) var arguments: [String] = []
  /// Values by option name, in order of appearance; a flag holds an empty text per appearance.
  var given: [String: [String]] = [:]
  /// The names of every option in the program, to catch a getter that names none.
  let declared: Set<String>

  init(root: Command) {
    commands = [root]
    declared = root.declaredNames
  }

  /// The names of the commands without the program: `["daemon", "start"]`.
  public var path: [String] { commands.dropFirst().map(\.name) }

  /// The names of the commands with the program, as error messages show them.
  public var commandPath: [String] { commands.map(\.name) }

  /// Whether the option or flag was given at least once.
  public func isGiven(_ name: String) -> Bool { !occurrences(of: name).isEmpty }

  /// Whether the flag was given.
  public func flag(_ name: String) -> Bool { isGiven(name) }

  /// How often the flag was given: `-vv` is 2.
  public func count(_ name: String) -> Int { occurrences(of: name).count }

  /// The last value given, else the option's default.
  public func value(_ name: String) -> String? { values(name).last }

  /// All values given, in order, else the option's default.
  public func values(_ name: String) -> [String] {
    let texts = occurrences(of: name)
    guard texts.isEmpty else { return texts }
    return [option(name)?.value?.defaultText].compactMap(\.self)
  }

  /// The value of an option of kind ``ValueKind/integer(_:)``.
  public func integer(_ name: String) -> Int? { value(name).flatMap { Int($0) } }

  /// Bytes: the value of an option of kind ``ValueKind/byteSize``.
  public func byteSize(_ name: String) -> Int? { value(name).flatMap(ByteSize.parse) }

  /// The value of an option of kind ``ValueKind/duration``.
  public func duration(_ name: String) -> Duration? { value(name).flatMap(TimeSpan.parse) }

  /// The positional arguments that belong to the argument of this name. Arguments are served from
  /// left to right; each leaves enough for those after it.
  public func arguments(named name: String) -> [String] {
    var rest = arguments[...]
    let described = commands.last?.arguments ?? []
    for (index, argument) in described.enumerated() {
      let needed = described[(index + 1)...].reduce(0) { $0 + $1.arity.minimum }
      let share = rest.prefix(min(argument.arity.maximum, max(0, rest.count - needed)))
      if argument.name == name { return Array(share) }
      rest = rest.dropFirst(share.count)
    }
    assertionFailure("no argument is called \(name)")
    return []
  }

  /// The first positional argument that belongs to the argument of this name.
  public func argument(_ name: String) -> String? { arguments(named: name).first }

  /// An error of a program's own checks, in the same form as the parser's.
  public func usageError(
    _ message: String, code: UsageError.Code = .conflict, suggestion: String? = nil
  ) -> UsageError {
    UsageError(code, commandPath: commandPath, message: message, suggestion: suggestion)
  }

  private func occurrences(of name: String) -> [String] {
    assert(declared.contains(name), "no option is called \(name)")
    return given[name] ?? []
  }

  private func option(_ name: String) -> Option? {
    commands.reversed().lazy.flatMap(\.options).first { $0.name == name }
  }
}

extension Command {
  /// All options of this command itself, from all groups.
  var options: [Option] { groups.flatMap(\.options) }

  fileprivate var declaredNames: Set<String> {
    subcommands.reduce(into: Set(options.map(\.name))) { $0.formUnion($1.declaredNames) }
  }
}
