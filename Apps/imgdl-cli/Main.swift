import CommandLine
import Engine
import Glibc
import ImgdlLibrary
import Models
import SystemCalls

@main
enum Program {
  static func main() async {
    // A reader that has gone is seen as an error of `write`, not as a signal.
    signal(SIGPIPE, SIG_IGN)
    exit(await run(Array(Swift.CommandLine.arguments.dropFirst())).rawValue)
  }

  private static func run(_ words: [String]) async -> ExitCode {
    let invocation: Invocation
    do throws(UsageError) {
      invocation = try CommandDescription.root.parse(words)
    } catch {
      Console().refuse(error)
      return .usage
    }
    switch invocation.request {
    case .help:
      let width = Machine.terminalSize(1)?.columns ?? 80
      Console().print(invocation.helpText(width: min(width, 100)))
      return .done
    case .version:
      Console().print("imgdl-cli \(CommandDescription.version)")
      return .done
    case .run: break
    }
    return await perform(invocation)
  }

  private static func perform(_ invocation: Invocation) async -> ExitCode {
    var console = Console()
    var loaded: LoadedSettings?
    do {
      let context = try Context(invocation)
      (console, loaded) = (context.console, context.loaded)
      for warning in context.loaded.warnings { console.note("imgdl-cli: warning: \(warning)") }
      return try await command(invocation.path.first ?? "")(context)
    } catch let error as UsageError {
      console.refuse(error)
      return .usage
    } catch {
      let failure = CommandFailure(wrapping: error, settings: loaded)
      console.complain(failure.message)
      return failure.code
    }
  }

  private static func command(_ name: String) -> @Sendable (Context) async throws -> ExitCode {
    switch name {
    case "add": AddCommand.run
    case "list": ListCommand.run
    case "show": ShowCommand.run
    case "details": DetailsCommand.run
    case "retry": RetryCommand.run
    case "remove": RemoveCommand.run
    case "reset": ResetCommand.run
    case "config": ConfigCommand.run
    case "doctor": DoctorCommand.run
    case "demo": DemoCommand.run
    case "completion": CompletionCommand.run
    default: HelpCommand.run
    }
  }
}
