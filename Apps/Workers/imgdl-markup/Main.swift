import Confinement
import Glibc
import Markup
import MarkupMessages
import Models
import RenderMessages
import Rendering
import WorkerProcess

/// The program that parses markup from the network and reports what the documents name. The program ends when
/// the process that started it closes the socket.
///
/// The program is synchronous, on the main thread, because the sandbox must be entered before any other
/// thread is started.
@main enum Program {
  static func main() {
    switch WorkerArguments(Swift.CommandLine.arguments.dropFirst(), workers: [MarkupProgram.worker])
    {
    case .work(_, let sandbox): exit(work(sandbox))
    case .breakOut(let worker):
      Parsers.prepare()
      BreakOut.report(worker, profile)
    case .libraries:
      for library in Parsers.libraries { print(LibraryReport.line(library)) }
    case .decoders, nil: exit(WorkerService.run { _ in nil })
    }
  }

  /// The sandbox of a worker that opens no files.
  private static let profile = SandboxProfile(memoryBytes: UInt64(MarkupLimits.memoryBytes))

  private static func work(_ sandbox: SandboxUse) -> Int32 {
    Parsers.prepare()
    guard
      let connection = WorkerService.connection(
        limits: FrameLimits(maxPayload: ReadReport.maxFrameBytes))
    else { return WorkerService.usageExitCode }
    do throws(RenderError) {
      try Confinement.enter(profile, sandbox)
    } catch {
      WorkerService.printError("\(MarkupProgram.name): \(error)")
      return 1
    }
    let service = MarkupService(connection)
    return WorkerService.serve(connection) { frame in
      try service.respond(to: frame)
      return nil
    }
  }
}
