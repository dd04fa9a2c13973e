import CLinux
import Confinement
import Glibc
import RenderMessages
import Rendering
import WorkerProcess

/// The program that decodes pictures and documents that come from the network. One question, one answer,
/// in a loop; it ends when the program that started it closes the socket.
///
/// Synchronous, on one thread: nothing here needs a second one.
@main enum Program {
  private static let name = WorkerProfile.codecs.program

  static func main() {
    switch WorkerArguments(Swift.CommandLine.arguments.dropFirst(), to: name) {
    case .work(let profile, let sandbox): exit(work(profile, sandbox))
    // As in a worker: the libraries are there before.
    case .breakOut(let profile): BreakOut.report(profile, with: try? DecoderChoice.make(profile))
    case .libraries:
      for library in DecoderLibraries.all { print(LibraryReport.line(library)) }
    case nil: exit(WorkerService.run { _ in nil })
    }
  }

  private static func work(_ profile: WorkerProfile, _ sandbox: SandboxUse) -> Int32 {
    // One picture's planes are as large as the next one's.
    imgdl_keep_freed_memory()
    do throws(RenderError) {
      let desk = try RenderDesk(profile)
      try Confinement.enter(profile, sandbox)
      return WorkerService.run(limits: FrameLimits(maxPayload: RenderReply.maxFrameBytes)) {
        try desk.answer($0)
      }
    } catch {
      WorkerService.complain("\(name): \(error)")
      return 1
    }
  }
}
