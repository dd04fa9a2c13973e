/// The options of `aria2c` on a command line, or in a file of options.
///
/// `aria2c` accepts a value after `=` or in the next word; the value of a flag must follow `=` and is `true`
/// without it.
public struct ServerArguments: Sendable, Equatable {
  public struct Option: Sendable, Equatable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The words that are no options of `aria2c`.
  public private(set) var words: [String] = []
  /// The options in their order.
  public private(set) var options: [Option] = []

  /// Separates the options of `aria2c` from other words.
  /// - Parameter ownNames: The names of long options that belong to this program.
  public init(_ arguments: [String], ownNames: Set<String>) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard let (name, attached) = Self.split(word), !ownNames.contains(name),
        let isFlag = Self.isFlag(name)
      else {
        words.append(word)
        continue
      }
      if let attached {
        options.append(Option(name, attached))
      } else if isFlag {
        options.append(Option(name, "true"))
      } else if let value = rest.popFirst() {
        options.append(Option(name, value))
      } else {
        words.append(word)
      }
    }
  }

  /// Parses a file of options: a line `name=value` for each; lines that begin with `#` are comments.
  public init(fileText: String) {
    for line in fileText.split(whereSeparator: \.isNewline) {
      let line = line.drop { $0 == " " || $0 == "\t" }
      guard line.first != "#", let equals = line.firstIndex(of: "=") else { continue }
      options.append(
        Option(String(line[..<equals]), String(line[line.index(after: equals)...])))
    }
  }

  /// The last value of an option.
  public subscript(name: String) -> String? { options.last { $0.name == name }?.value }

  /// Returns these options after those of a file, which they override.
  public func over(_ file: ServerArguments) -> ServerArguments {
    var all = self
    all.options = file.options + options
    return all
  }

  /// The options that concern downloads, in their order.
  public var downloadOptions: [(name: String, value: String)] {
    options.filter { Self.programOptions[$0.name] == nil && $0.name != "dir" }
      .map { ($0.name, $0.value) }
  }

  /// Splits `--name=value`, `--name` or `-x`.
  private static func split(_ word: String) -> (name: String, attached: String?)? {
    if word.hasPrefix("--") {
      let text = word.dropFirst(2)
      guard let equals = text.firstIndex(of: "=") else {
        return text.isEmpty ? nil : (String(text), nil)
      }
      return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }
    guard word.hasPrefix("-"), let name = shortNames[word.dropFirst().prefix(1)] else { return nil }
    let attached = word.dropFirst(2)
    return (name, attached.isEmpty ? nil : String(attached))
  }

  /// Whether the option is a flag; nil if `aria2c` has no such option.
  private static func isFlag(_ name: String) -> Bool? {
    programOptions[name] ?? OptionTable.definition(name).map { $0.kind == .flag }
  }

  /// Whether an option concerns the program, and not its downloads.
  static func isOfProgram(_ name: String) -> Bool { programOptions[name] != nil }

  /// The options of the program, which do not concern downloads, and whether each of them is a flag.
  private static let programOptions = [
    "conf-path": false, "console-log-level": false, "daemon": true, "deferred-input": true,
    "enable-color": true, "enable-rpc": true, "event-poll": false, "human-readable": true,
    "input-file": false, "no-conf": true, "quiet": true, "rpc-allow-origin-all": true,
    "rpc-listen-all": true, "rpc-listen-port": false, "rpc-max-request-size": false,
    "rpc-save-upload-metadata": true, "rpc-secret": false, "rpc-secure": true,
    "show-console-readout": true, "stop-with-process": false, "summary-interval": false,
    "truncate-console-readout": true,
  ]

  private static let shortNames: [Substring: String] = [
    "D": "daemon", "c": "continue", "i": "input-file", "j": "max-concurrent-downloads",
    "k": "min-split-size", "l": "log", "m": "max-tries", "o": "out", "q": "quiet", "s": "split",
    "t": "timeout", "x": "max-connection-per-server",
  ]
}
