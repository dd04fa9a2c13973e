import Archive
import ArchiveMessages
import CLinux
import Confinement
import Glibc
import RenderMessages
import Rendering
import WorkerProcess

/// The program that opens archives from the network and reports their entries. The program ends when the
/// process that started it closes the socket.
///
/// The program is synchronous, on the main thread, because the sandbox must be entered before any other
/// thread is started.
@main enum Program {
  static func main() {
    switch WorkerArguments(Swift.CommandLine.arguments.dropFirst(), workers: [UnpackProgram.worker])
    {
    case .work(_, let sandbox): exit(work(sandbox))
    case .breakOut(let worker):
      prepare()
      BreakOut.report(worker, profile)
    case .libraries:
      for adapter in ArchiveAdapter.allCases {
        print(LibraryReport.line(adapter.readerType.library))
      }
    case .decoders, nil: exit(WorkerService.run { _ in nil })
    }
  }

  /// The default sandbox, because reading an archive needs no permission that decoding pixels does not need.
  private static let profile = SandboxProfile()

  private static func prepare() {
    for adapter in ArchiveAdapter.allCases { adapter.readerType.prepare() }
  }

  private static func work(_ sandbox: SandboxUse) -> Int32 {
    imgdl_keep_freed_memory()
    prepare()
    guard
      let connection = WorkerService.connection(
        limits: FrameLimits(maxPayload: UnpackEvent.maxFrameBytes))
    else { return WorkerService.usageExitCode }
    do throws(RenderError) {
      try Confinement.enter(profile, sandbox)
    } catch {
      WorkerService.printError("\(UnpackProgram.name): \(error)")
      return 1
    }
    let service = UnpackService(connection)
    return WorkerService.serve(connection) { frame in
      try service.respond(to: frame)
      return nil
    }
  }
}
