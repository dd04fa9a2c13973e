import ArchiveLibarchive
import ArchiveMessages
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
    case .work(let profile, let sandbox): exit(work(profile, sandbox))
    case .breakOut(let profile): BreakOut.report(profile)
    case .libraries: LibraryReport.print()
    case nil: exit(WorkerService.run { _ in nil })
    }
  }

  private static func work(_ profile: WorkerProfile, _ sandbox: SandboxUse) -> Int32 {
    // One picture's planes are as large as the next one's.
    imgdl_keep_freed_memory()
    do throws(RenderError) {
      if profile == .archives { return try unpack(sandbox) }
      let desk = try RenderDesk(profile)
      try confine(profile, sandbox)
      return WorkerService.run(limits: FrameLimits(maxPayload: RenderReply.maxFrameBytes)) {
        try desk.answer($0)
      }
    } catch {
      WorkerService.complain("imgdl-render: \(error)")
      return 1
    }
  }

  private static func unpack(_ sandbox: SandboxUse) throws(RenderError) -> Int32 {
    LibarchiveReader.prepare()
    guard
      let connection = WorkerService.connection(
        limits: FrameLimits(maxPayload: UnpackEvent.maxFrameBytes))
    else { return WorkerService.usageExitCode }
    try confine(.archives, sandbox)
    let desk = UnpackDesk(connection)
    return WorkerService.serve(connection) { frame in
      try desk.answer(frame)
      return nil
    }
  }

  private static func confine(
    _ profile: WorkerProfile, _ sandbox: SandboxUse
  ) throws(RenderError) {
    if sandbox == .none { return }
    guard threadCount == 1 else {
      throw RenderError(.worker, "a library started threads before they could be confined")
    }
    let missing = Confinement.enter(profile)
    if sandbox == .required, let layer = missing.first {
      throw RenderError(
        .worker,
        "the sandbox layer \(layer.name) cannot be applied (\(layer.problem)), and sandbox.required is set"
      )
    }
    for layer in missing { WorkerService.complain(layer.line) }
  }

  /// 1 where `/proc` is missing.
  private static var threadCount: Int { (try? FileSystem.list("/proc/self/task").count) ?? 1 }
}
