/// A command line that cannot be understood. `description` names the option or argument and what
/// was expected; control characters in it are escaped.
public struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Code: Sendable, Hashable {
    case unknownCommand, missingCommand
    case unknownOption, missingValue, unexpectedValue, invalidValue
    case missingArgument, unexpectedArgument
    /// For programs: options that are each fine but do not go together.
    case conflict
  }

  public var code: Code
  /// The names from the program to the command that was being read.
  public var commandPath: [String]
  public var message: String
  /// What was probably meant, if that is unambiguous.
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

  /// The line that says where help is.
  public var hint: String {
    "Try '\(commandPath.joined(separator: " ")) --help'."
  }
}

extension String {
  /// In quotes, with control characters as `\u{1b}`, so that a message cannot steer a terminal.
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
