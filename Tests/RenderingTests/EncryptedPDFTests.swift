import Models
import RenderMessages
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing

@Suite("Encrypted PDF") struct EncryptedPDFTests {
  @Test("is drawn with its password, and reports that it is missing or wrong")
  func passwords() async throws {
    let folder = try ScratchFolder()
    let path = try folder.file("a.pdf", EncryptedPDF.file)
    let renderer = WorkerPoolRenderer(.test(workers: 1))
    for owner in [EncryptedPDF.password, "owner"] {
      let password = DocumentPassword(owner)
      let info = try await renderer.probe(path, limits: nil, password: password)
      #expect((info.width, info.height, info.pageCount) == (40, 20, 2))
      var job = RenderJob(path: path, page: 1, sides: [40], quality: 0)
      job.password = password
      let page = try #require(
        try await renderer.render(job).renditions.first.flatMap { PixelRendition($0) })
      #expect(Array(page.pixels.prefix(3)) == [255, 0, 0], "blue")
    }
    let none = await #expect(throws: RenderError.self) { try await renderer.probe(path) }
    #expect(none == RenderError(.encrypted, "the PDF file is encrypted and needs a password"))
    // The last two have characters that the PDF format's own encoding lacks, or writes differently.
    for text in ["wrong", "gehört", "пароль"] {
      var job = RenderJob(path: path, sides: [40])
      job.password = DocumentPassword(text)
      let wrong = await #expect(throws: RenderError.self) { try await renderer.render(job) }
      #expect(
        wrong == RenderError(.encrypted, "the PDF file is encrypted, and the password is wrong"),
        "\(text)")
    }
    await renderer.shutdown()
  }

  @Test("has no description that contains its password")
  func hidden() throws {
    let password = try #require(DocumentPassword("very secret"))
    let request = RenderRequest(operation: .probe, limits: RenderLimits(), password: password)
    var job = RenderJob(path: "/a.pdf", sides: [1])
    job.password = password
    var dumped = ""
    dump(job, to: &dumped)
    for text in ["\(request)", "\(job)", String(reflecting: job), dumped] {
      #expect(!text.contains("very secret"), "\(text)")
    }
    let frame = request.frame(try FileSystem.open("/dev/null"))
    let received = try RenderRequest(frame)
    #expect(received == request)
  }
}
