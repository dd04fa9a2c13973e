import CommandLine
import Glibc
import Composition
import Models
import ProgramSupport
import SystemCalls
import Terminal

public enum Program {
  public static func main() async {
    StandardStreams.occupy()
    InheritedSignals.reset()
    MappedFiles.exitWhenIndexIsRefused()
    // If the reader of a pipe has closed it, `write` returns an error instead of raising a signal.
    signal(SIGPIPE, SIG_IGN)
    // If a file has reached its size limit (ulimit -f), `write` returns an error instead of raising a signal.
    signal(SIGXFSZ, SIG_IGN)
    exit(await run().rawValue)
  }

  private static func run() async -> ExitCode {
    do {
      let words = try ProgramArguments.ofProcess("imgdl-tui")
      let invocation = try CommandDescription.root.parse(words)
      switch invocation.request {
      case .help: print(invocation.helpText(width: min(100, helpWidth)))
      case .version: print("imgdl-tui \(ProgramVersion.text)")
      case .run:
        if let kind = invocation.value(GeneratedText.option.name) {
          print(GeneratedText.text(kind, for: CommandDescription.root), terminator: "")
          return .success
        }
        try LibraryOpener.requireThreads()
        let options = try Options(invocation)
        for warning in options.loaded.warnings { printError("warning: \(warning)") }
        return options.isPlain
          ? try await PlainProgram(options).run() : try await ScreenProgram(options).run()
      }
      return .success
    } catch let error as TerminalError {
      printError("\(error); use imgdl-tui --plain without one")
      return .usage
    } catch {
      let failure = ProgramFailure(wrapping: error)
      printError(failure.message)
      return failure.code
    }
  }

  private static var helpWidth: Int { Machine.terminalSize(1)?.columns ?? 80 }

  private static func printError(_ message: String) {
    let line = "imgdl-tui: \(message.split(separator: "\n").joined(separator: " "))\n"
    _ = line.withCString { write(2, $0, strlen($0)) }
  }
}
