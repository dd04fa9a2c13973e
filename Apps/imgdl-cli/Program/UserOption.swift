import CommandLine
import Models
import SystemCalls

/// The option `--user NAME[:PASSWORD]`: a password for the origins of the URLs on the command line only, because another
/// port of the same host, which a list or a redirect may name, may be another's service.
enum UserOption {
  /// - Returns: The values of the setting `network.users`, one for each origin.
  static func settings(_ text: String, _ invocation: Invocation) async throws -> [String] {
    let origins = origins(invocation)
    guard !origins.isEmpty else {
      throw invocation.usageError(
        "--user needs a URL on the command line: the password is sent to its server; for "
          + "several servers, use --netrc-file", code: .conflict)
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, !name.isEmpty else {
      throw invocation.usageError("--user expects NAME or NAME:PASSWORD", code: .invalidValue)
    }
    let password: String
    if parts.count > 1 {
      password = String(parts[1])
    } else {
      password = try await prompt(String(name), invocation)
    }
    return origins.map { "\($0): \(name):\(password)" }
  }

  /// The origins of all URLs on the command line, without duplicates, sorted.
  private static func origins(_ invocation: Invocation) -> [String] {
    let words = invocation.arguments + invocation.values("input-file")
    let origins = words.compactMap { try? HTTPURL($0) }.map(\.origin)
    return Set(origins).map(\.description).sorted()
  }

  private static func prompt(_ name: String, _ invocation: Invocation) async throws -> String {
    guard Machine.isTerminal(2) else {
      throw invocation.usageError(
        "there is no terminal to ask for the password of \(name)", code: .missingValue)
    }
    let answer = try await PasswordQuestion.prompt("Password of \(Console.escaped(name)): ")
    guard let answer else {
      throw invocation.usageError("no password was entered for \(name)", code: .missingValue)
    }
    return answer
  }
}
