import ArchiveLibarchive
import ArchiveMessages
import ArchiveMinizip
import CLinux
import Confinement
import Glibc
import RenderMessages
import Rendering
import WorkerProcess

/// The program that opens archives from the network and reports their entries. It ends when the program
/// that started it closes the socket.
///
/// Synchronous, on one thread: it needs no second one.
@main enum Program {
  static func main() {
    switch WorkerArguments(Swift.CommandLine.arguments.dropFirst(), workers: [UnpackProgram.worker])
    {
    case .work(_, let sandbox): exit(work(sandbox))
    case .breakOut(let worker):
      LibarchiveReader.prepare()
      BreakOut.report(worker, profile)
    case .libraries:
      for library in [MinizipReader.library, LibarchiveReader.library] {
        print(LibraryReport.line(library))
      }
    case .decoders, nil: exit(WorkerService.run { _ in nil })
    }
  }

  /// The default sandbox: a reader of archives needs no permission that a pixel decoder lacks.
  private static let profile = SandboxProfile()

  private static func work(_ sandbox: SandboxUse) -> Int32 {
    imgdl_keep_freed_memory()
    LibarchiveReader.prepare()
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
    let desk = UnpackService(connection)
    return WorkerService.serve(connection) { frame in
      try desk.respond(to: frame)
      return nil
    }
  }
}
