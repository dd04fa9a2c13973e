import Models
import Rendering
import RenderingSandbox
import TestSupport
import Testing

/// M4: what a file is called says nothing about what it is.
@Suite("Names that lie") struct MagicTests {
  @Test("change nothing: each kind of file under the name of each other")
  func names() async throws {
    let folder = try ScratchFolder()
    let renderer = WorkerPoolRenderer(.test(workers: 1))
    let files: [(ResourceFormat, [UInt8])] = [
      (.png, TestPicture.png(width: 5, height: 4)),
      (.gif, HeaderBombTests.gif(width: 5, height: 4, frames: 1)),
      (.text, Array("no picture\n".utf8)),
      (.html, Array("<!doctype html><title>x</title>".utf8)),
      (.zip, [0x50, 0x4b, 5, 6] + Array(repeating: 0, count: 18)),
      (.unknown, [0, 1, 2, 3, 4, 5, 6, 7]),
    ]
    for (format, bytes) in files {
      for (other, _) in files {
        let path = try folder.file("file.\(other.fileExtension)", bytes)
        do throws(RenderError) {
          let info = try await renderer.probe(path)
          #expect(info.format == format)
        } catch {
          #expect(error == RenderError(.unsupported, "no preview (\(format.mediaType))"))
          #expect(format.kind != .image)
        }
      }
    }
    await renderer.shutdown()
  }
}
