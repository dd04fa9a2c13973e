import CommandLine
import Glibc
import Composition
import Models
import ProgramSupport
import SystemCalls

public enum Program {
  public static func main() async {
    DependentProgram.becomeIfRequested()
    EarlySignals.handle()
    StandardStreams.occupy()
    InheritedSignals.reset()
    MappedFiles.exitWhenIndexIsRefused()
    // With SIGPIPE ignored, `write` returns EPIPE if the reader of a pipe has closed it.
    signal(SIGPIPE, SIG_IGN)
    // With SIGXFSZ ignored, `write` returns EFBIG if a file has reached its size limit (ulimit -f).
    signal(SIGXFSZ, SIG_IGN)
    exit(await run().rawValue)
  }

  private static func run() async -> ExitCode {
    let invocation: Invocation
    do throws(UsageError) {
      let words = try ProgramArguments.ofProcess(Console.program)
      invocation = try CommandDescription.root.parse(words)
    } catch {
      if Swift.CommandLine.argc <= 1 {
        Console.write(CommandDescription.root.helpText(width: helpWidth(2)), to: 2)
      } else {
        Console().refuse(error)
      }
      return .usage
    }
    switch invocation.request {
    case .help:
      Console().printText(invocation.helpText(width: helpWidth(1)))
      return .success
    case .version:
      Console().print("imgdl-cli \(ProgramVersion.text)")
      return .success
    case .run: break
    }
    return await perform(invocation)
  }

  private static func helpWidth(_ descriptor: Int32) -> Int {
    min(Machine.terminalSize(descriptor)?.columns ?? 80, 100)
  }

  private static func perform(_ invocation: Invocation) async -> ExitCode {
    var console = Console()
    var loaded: LoadedSettings?
    do {
      try LibraryOpener.requireThreads()
      let context = try await Context(invocation)
      (console, loaded) = (context.console, context.loaded)
      // The scheduling policy is set before threads are created, because they inherit it. With thumbnails the
      // policy is left unchanged, because the engine must be scheduled before the rendering.
      if !context.loaded.settings.rendering.thumbnails { Scheduling.preferThroughput() }
      for warning in context.loaded.warnings {
        console.printNote("\(Console.program): warning: \(Console.escaped(warning))")
      }
      LibraryOpener.onWarning { [console] warning in
        console.printNote("\(Console.program): warning: \(Console.escaped(warning))")
      }
      try context.requireNamedLibrary()
      return try await command(invocation.path.first ?? "")(context)
    } catch let error as UsageError {
      console.refuse(error)
      return .usage
    } catch {
      let failure = ProgramFailure(wrapping: error, settings: loaded)
      console.printError(failure.message)
      return failure.code
    }
  }

  private static func command(_ name: String) -> @Sendable (Context) async throws -> ExitCode {
    switch name {
    case "add": AddCommand.run
    case "fetch": FetchCommand.run
    case "archive": ArchiveCommand.run
    case "list": ListCommand.run
    case "show": ShowCommand.run
    case "details": DetailsCommand.run
    case "watch": WatchCommand.run
    case "pause": PauseCommand.run
    case "resume": ResumeCommand.run
    case "cancel": CancelCommand.run
    case "retry": RetryCommand.run
    case "reload": ReloadCommand.run
    case "refresh": RefreshCommand.run
    case "more": MoreCommand.run
    case "priority": PriorityCommand.run
    case "concurrency": ConcurrencyCommand.run
    case "per-host": PerHostCommand.run
    case "limit-rate": LimitRateCommand.run
    case "remove": RemoveCommand.run
    case "reset": ResetCommand.run
    case "verify": VerifyCommand.run
    case "export": ExportCommand.run
    case "contact-sheet": ContactSheetCommand.run
    case "view": ViewCommand.run
    case "open": OpenCommand.run
    case "web": WebCommand.run
    case "daemon": DaemonCommand.run
    case "config": ConfigCommand.run
    case "doctor": DoctorCommand.run
    case "demo": DemoCommand.run
    case "experiment": ExperimentCommand.run
    case "completion": CompletionCommand.run
    case "worker": WorkerCommand.run
    default: { _ in throw ProgramFailure(.internalError, "\(name) is not implemented") }
    }
  }
}
