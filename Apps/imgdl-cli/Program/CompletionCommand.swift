import CommandLine
import ProgramSupport

/// The command `completion KIND`: prints the completion script of a shell, or the manual page.
enum CompletionCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let kind = context.invocation.argument("KIND") ?? ""
    context.console.printText(GeneratedText.text(kind, for: CommandDescription.root))
    return .success
  }
}
