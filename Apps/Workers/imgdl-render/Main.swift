import CLinux
import Confinement
import Decoding
import Glibc
import RenderMessages
import Rendering
import WorkerProcess

/// The program that decodes images and documents from the network. It answers one request at a time, and ends
/// when the program that started it closes the socket.
///
/// The program is synchronous, on the main thread, because the sandbox must be entered before any other
/// thread is started.
@main enum Program {
  static func main() {
    switch WorkerArguments(Swift.CommandLine.arguments.dropFirst(), workers: Decoders.names) {
    case .work(let worker, let sandbox): exit(work(worker, sandbox))
    case .breakOut(let worker):
      guard let decoder = try? Decoders.named(worker) else { break }
      // The decoder opens its libraries before the sandbox is entered, as in a worker.
      BreakOut.report(worker, decoder.summary.sandbox, with: try? decoder.open())
    case .libraries:
      for library in Decoders.libraries { print(LibraryReport.line(library)) }
    case .decoders: print(Decoders.list.report, terminator: "")
    case nil: exit(WorkerService.run { _ in nil })
    }
  }

  private static func work(_ worker: String, _ sandbox: SandboxUse) -> Int32 {
    // The planes of successive images have similar sizes, so freed memory is kept for the next one.
    imgdl_keep_freed_memory()
    do {
      let decoder = try Decoders.named(worker)
      let service = try RenderService(decoder)
      try Confinement.enter(decoder.summary.sandbox, sandbox)
      return WorkerService.run(limits: FrameLimits(maxPayload: RenderReply.maxFrameBytes)) {
        try service.respond(to: $0)
      }
    } catch {
      WorkerService.printError("\(RenderProgram.name): \(error)")
      return 1
    }
  }
}
