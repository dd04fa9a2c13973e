import CLinux
import Glibc
import Models
import RenderMessages
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing

/// `ulimit -f` counts the memory for pictures, too; the kernel's answer to a file that would grow beyond
/// it is a signal that ends the process (setrlimit(2), SIGXFSZ).
@Suite("A limit on the size of files") struct FileSizeLimitTests {
  @Test("leaves room for pictures of that size, and ends nothing")
  func smallerMemory() async {
    await #expect(processExitsWith: .success) {
      #expect(imgdl_limit_file_size(3_000) == 0)
      signal(SIGXFSZ, SIG_DFL)
      let memory = try RenditionMemory(capacity: 1 << 20)
      #expect(memory.capacity == 3_000)
      #expect(try RenditionMemory(memory.frame)?.capacity == 3_000)
    }
  }

  @Test("refuses the picture that is larger, by name, and draws the next one")
  func tooLarge() async throws {
    // The folder outlives the process that looks into it.
    let folder = try ScratchFolder()
    let path = try folder.file(
      "a.png", TestPicture.png(width: 200, height: 200) { x, y in (UInt8(x), UInt8(y), 7, 255) })
    await #expect(processExitsWith: .success) { [path = path as String] in
      #expect(imgdl_limit_file_size(3_000) == 0)
      signal(SIGXFSZ, SIG_DFL)
      let renderer = WorkerPoolRenderer(.test(workers: 1))
      // 160,054 bytes: too many for a message.
      let error = await #expect(throws: RenderError.self) {
        try await renderer.render(RenderJob(path: path, sides: [200], quality: 0))
      }
      #expect(
        error
          == RenderError(
            .limit,
            "images of 160054 bytes exceed the 3000 that this process may write (ulimit -f)"))
      let small = try await renderer.render(RenderJob(path: path, sides: [20], quality: 0))
      #expect(small.renditions.first?.bytes.count == 54 + 20 * 20 * 4)
      await renderer.shutdown()
    }
  }
}
