import CommandLine
import Glibc
import Composition
import LibraryAPI
import Models
import ProgramSupport
import SystemCalls

public enum Program {
  public static func main() async {
    StandardStreams.occupy()
    InheritedSignals.reset()
    MappedFiles.exitWhenIndexIsRefused()
    // If the reader of a pipe has closed it, or a file has reached its size limit (ulimit -f), `write` must
    // return an error instead of raising a signal.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    exit(await run().rawValue)
  }

  private static func run() async -> ExitCode {
    do {
      let words = try ProgramArguments.ofProcess("imgdld")
      let manager = try ServiceManager()
      let aria2 = try Aria2Arguments(words)
      let invocation = try CommandDescription.root.parse(aria2.words)
      switch invocation.request {
      case .help: print(invocation.helpText(width: 80))
      case .version: print("imgdld \(ProgramVersion.text)")
      case .run:
        if let kind = invocation.value(GeneratedText.option.name) {
          print(GeneratedText.text(kind, for: CommandDescription.root), terminator: "")
          return .success
        }
        try LibraryOpener.requireThreads()
        let options = try DaemonOptions(invocation, words, aria2)
        if options.isForeground {
          try await Daemon(options, manager).run()
        } else {
          print(try await Launcher(options).start())
        }
      }
      return .success
    } catch let error as LibraryError where error.code == .interrupted {
      // A signal stopped the daemon before it listened, which is a normal end.
      return .success
    } catch {
      let failure = ProgramFailure(wrapping: error)
      printError(failure.message)
      return failure.code
    }
  }

  private static func printError(_ message: String) {
    let line = "imgdld: \(message.split(separator: "\n").joined(separator: " "))\n"
    _ = line.withCString { write(2, $0, strlen($0)) }
  }
}
