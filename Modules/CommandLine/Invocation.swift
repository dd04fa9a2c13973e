/// A parsed command line: the command, its options and its arguments.
public struct Invocation: Sendable, Hashable {
  /// The action that the command line requests.
  public enum Request: Sendable, Hashable {
    case run
    /// `--help`, `-h` or `help CMD`: the program prints ``Invocation/helpText(width:)``.
    case help
    /// `--version` or `-V`: the program prints its version.
    case version
  }

  public internal(set) var request: Request = .run
  /// The commands from the root to the invoked one.
  public internal(set) var commands: [Command]
  /// All positional arguments, in order.
  public internal(set) var arguments: [String] = []
  /// The values by option name, in the order of the command line. A flag has one empty text for each
  /// occurrence.
  var valuesByOption: [String: [String]] = [:]
  /// The names of all options of the program, with which getters detect an unknown name.
  let declared: Set<String>

  init(root: Command) {
    commands = [root]
    declared = root.declaredNames
  }

  /// The names of the invoked commands without the program: `["daemon", "start"]`.
  public var path: [String] { commands.dropFirst().map(\.name) }

  /// The names of the invoked commands with the program, as error messages show them.
  public var commandPath: [String] { commands.map(\.name) }

  /// Returns whether the option or flag was given at least once.
  public func isGiven(_ name: String) -> Bool { !occurrences(of: name).isEmpty }

  /// Returns whether the flag was given.
  public func flag(_ name: String) -> Bool { isGiven(name) }

  /// Returns the number of times that the flag was given: 2 for `-vv`.
  public func count(_ name: String) -> Int { occurrences(of: name).count }

  /// Returns the last given value, or the option's default.
  public func value(_ name: String) -> String? { values(name).last }

  /// Returns all given values in order, or the option's default.
  public func values(_ name: String) -> [String] {
    let texts = occurrences(of: name)
    guard texts.isEmpty else { return texts }
    return [option(name)?.value?.defaultText].compactMap(\.self)
  }

  /// Returns the value of an option of kind ``ValueKind/integer(_:)``.
  public func integer(_ name: String) -> Int? { value(name).flatMap { Int($0) } }

  /// Returns the value of an option of kind ``ValueKind/byteSize``, in bytes.
  public func byteSize(_ name: String) -> Int? { value(name).flatMap(ByteSize.parse) }

  /// Returns the value of an option of kind ``ValueKind/duration``.
  public func duration(_ name: String) -> Duration? { value(name).flatMap(TimeSpan.parse) }

  /// Returns the words that belong to the argument called `name`. Words are assigned to arguments from left
  /// to right; each argument leaves enough words for the required arguments after it.
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

  /// Returns the first word that belongs to the argument called `name`, or nil if there is none.
  public func argument(_ name: String) -> String? { arguments(named: name).first }

  /// Returns an error in the form of the parser's errors, for checks that the program itself makes.
  public func usageError(
    _ message: String, code: UsageError.Code = .conflict, suggestion: String? = nil
  ) -> UsageError {
    UsageError(code, commandPath: commandPath, message: message, suggestion: suggestion)
  }

  private func occurrences(of name: String) -> [String] {
    assert(declared.contains(name), "no option is called \(name)")
    return valuesByOption[name] ?? []
  }

  private func option(_ name: String) -> Option? {
    commands.reversed().lazy.flatMap(\.options).first { $0.name == name }
  }
}

extension Command {
  /// All options of the command, from all its groups, without those of the commands above it.
  var options: [Option] { groups.flatMap(\.options) }

  fileprivate var declaredNames: Set<String> {
    subcommands.reduce(into: Set(options.map(\.name))) { $0.formUnion($1.declaredNames) }
  }
}
