/// An error of the command line. The description names the option or argument and the expected value; control
/// characters of the user's words are escaped.
public struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Code: Sendable, Hashable {
    case unknownCommand, missingCommand
    case unknownOption, missingValue, unexpectedValue, invalidValue
    case missingArgument, unexpectedArgument
    /// Valid options exclude each other. The parser never reports this error; programs do.
    case conflict
  }

  public var code: Code
  /// The names of the commands that had been read before the error, beginning with the program.
  public var commandPath: [String]
  public var message: String
  /// The word that the user probably meant; nil if no word is similar, or several are.
  public var suggestion: String?

  public init(
    _ code: Code, commandPath: [String], message: String, suggestion: String? = nil
  ) {
    self.code = code
    self.commandPath = commandPath
    self.message = message
    self.suggestion = suggestion
  }

  public var description: String {
    let start = commandPath.joined(separator: " ") + ": " + message
    return suggestion.map { "\(start); did you mean '\($0)'?" } ?? start
  }

  /// A line that refers the user to `--help`.
  public var hint: String {
    "Try '\(commandPath.joined(separator: " ")) --help'."
  }
}

extension String {
  /// The text in quotes, with control characters escaped as `\u{1b}`, so that a message cannot control a
  /// terminal.
  var quoted: String {
    var text = "'"
    for scalar in unicodeScalars {
      if scalar.properties.generalCategory == .control {
        text += "\\u{\(Swift.String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text + "'"
  }
}
