import CommandLine
import ProgramSupport
import SystemCalls

/// The confirmation of a destructive command: a question on a terminal, otherwise the option `--yes`.
enum Confirmation {
  static func request(_ context: Context, _ question: String) throws {
    if context.invocation.flag("yes") { return }
    guard Machine.isTerminal(0), Machine.isTerminal(2) else {
      throw context.invocation.usageError(
        "\(question) No terminal is available for confirmation; use --yes.", code: .missingValue)
    }
    Console.write("\(Console.escaped(question)) [y/N] ", to: 2)
    let answer = readLine()?.lowercased() ?? ""
    guard answer == "y" || answer == "yes" else {
      throw ProgramFailure(.interrupted, "nothing was deleted")
    }
  }
}
