/// An error of the command line. `description` names the option or argument and the expected value; control
/// characters in it are escaped.
public struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Code: Sendable, Hashable {
    case unknownCommand, missingCommand
    case unknownOption, missingValue, unexpectedValue, invalidValue
    case missingArgument, unexpectedArgument
    /// Options that are valid but exclude each other. The parser does not use it; programs do.
    case conflict
  }

  public var code: Code
  /// The names of the commands that had been read, beginning with the program.
  public var commandPath: [String]
  public var message: String
  /// The word that the user probably meant; nil if that is ambiguous.
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

  /// A line that refers to the help.
  public var hint: String {
    "Try '\(commandPath.joined(separator: " ")) --help'."
  }
}

extension String {
  /// The text in quotes, with control characters as `\u{1b}`, so that a message cannot control a terminal.
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
