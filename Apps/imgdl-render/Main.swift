import Glibc
import RenderMessages
import Rendering
import WorkerProcess

/// The program that decodes what comes from the network. One question, one answer, in a loop; it
/// ends when the program that started it closes the socket.
///
/// Synchronous, on one thread: nothing here needs a second one.
@main enum Program {
  static func main() {
    if Swift.CommandLine.arguments.dropFirst().first == "--libraries" {
      return LibraryReport.print()
    }
    Confinement.enter()
    do throws(RenderError) {
      let desk = try RenderDesk()
      exit(
        // Questions are short; the answer may be a whole picture.
        WorkerService.run(limits: FrameLimits(maxPayload: RenderReply.maxBytes)) { frame in
          let request = try RenderRequest(frame)
          return desk.answer(request, file: frame.descriptors.first).frame
        })
    } catch {
      WorkerService.complain("imgdl-render: \(error)")
      exit(1)
    }
  }
}
