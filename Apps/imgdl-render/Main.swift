import CLinux
import Glibc
import RenderMessages
import Rendering
import SystemCalls
import WorkerProcess

/// The program that decodes what comes from the network. One question, one answer, in a loop; it
/// ends when the program that started it closes the socket.
///
/// Synchronous, on one thread: nothing here needs a second one.
@main enum Program {
  static func main() {
    switch WorkerArguments(Swift.CommandLine.arguments.dropFirst()) {
    case .work(let profile, let isConfined): exit(work(profile, isConfined: isConfined))
    case .breakOut(let profile): BreakOut.report(profile)
    case .libraries: LibraryReport.print()
    case nil: exit(WorkerService.run { _ in nil })
    }
  }

  private static func work(_ profile: WorkerProfile, isConfined: Bool) -> Int32 {
    // One picture's planes are as large as the next one's.
    imgdl_keep_freed_memory()
    do throws(RenderError) {
      let desk = try RenderDesk(profile)
      if isConfined {
        guard threadCount == 1 else {
          throw RenderError(.worker, "a library started threads before they could be confined")
        }
        _ = Confinement.enter(profile)
      }
      return WorkerService.run(limits: FrameLimits(maxPayload: RenderReply.maxFrameBytes)) {
        try desk.answer($0)
      }
    } catch {
      WorkerService.complain("imgdl-render: \(error)")
      return 1
    }
  }

  /// 1 where `/proc` is missing.
  private static var threadCount: Int { (try? FileSystem.list("/proc/self/task").count) ?? 1 }
}
