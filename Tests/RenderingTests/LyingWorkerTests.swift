import Models
import RenderMessages
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

@Suite("A compromised worker with one invalid field") struct LyingWorkerTests {
  private static let request = RenderRequest(
    operation: .render(page: 0, sides: [16], quality: 85), limits: Lie.limits)

  @Test("is not trusted", arguments: Lie.all)
  func message(_ lie: Lie) throws {
    let error = #expect(throws: WorkerError.self) {
      try RenderReply(lie.frame, to: Self.request, of: .png)
    }
    #expect(error?.code == .malformed)
    #expect(error?.description.contains(lie.words) == true, "\(error?.description ?? "")")
  }

  @Test("is trusted in its valid fields")
  func truth() throws {
    let answer = RenderReply.result(RenderResult(info: Lie.truth, renditions: [Lie.picture]))
    #expect(try RenderReply(answer.frame(), to: Self.request, of: .png) == answer)
    // A TIFF and a PDF may have pages, up to the limit.
    for format in [ResourceFormat.tiff, .pdf] {
      for (pages, isSound) in [(2_000, true), (2_001, false)] {
        let info = DocumentInfo(format: format, width: 40, height: 30, pageCount: pages)
        let frame = RenderReply.result(RenderResult(info: info, renditions: [Lie.picture])).frame()
        let result = Result { try RenderReply(frame, to: Self.request, of: format) }
        let isBelieved = (try? result.get()) != nil
        #expect(isBelieved == isSound)
      }
    }
  }

  @Test("fails one call; the worker is ended, and the next call succeeds", arguments: Lie.all)
  func call(_ lie: Lie) async throws {
    let helper = try BadHelper(
      "dd bs=1 count=1 <&3 >/dev/null 2>&1; cat \"$(dirname \"$0\")/answer\" >&3; exec sleep 1000")
    _ = try helper.folder.file("answer", lie.frame.wireBytes)
    let renderer = helper.renderer { $0.limits = Lie.limits }
    let path = try helper.folder.file("a.png", TestPicture.png(width: 40, height: 30))
    var job = RenderJob(path: path, sides: [16])
    job.limits = Lie.limits
    let error = await #expect(throws: RenderError.self) { try await renderer.render(job) }
    #expect(error?.code == .worker)
    #expect((error?.detail.utf8.count ?? 0) <= 500)
    let result = try await renderer.render(job)
    #expect(result.info.pageCount == 1 && result.info.width == 40)
    await renderer.shutdown()
  }

  @Test("has messages of at most 500 bytes, for any characters")
  func words() async throws {
    for word in ["x", "ü", "\u{1b}", "\u{301}", "\u{202e}"] {
      let long = String(repeating: word, count: 20_000)
      let frame = RenderReply.failure(RenderError(.damaged, long)).frame()
      guard case .failure(let error) = try RenderReply(frame, to: Self.request, of: .png) else {
        Issue.record("no failure")
        continue
      }
      #expect((400...500).contains(error.detail.utf8.count))
    }
    let helper = try BadHelper(
      "dd bs=1 count=1 <&3 >/dev/null 2>&1; head -c 100000 /dev/zero | tr '\\0' x >&2; exit 3")
    let renderer = helper.renderer()
    let path = try helper.folder.file("a.png", TestPicture.png(width: 4, height: 3))
    let error = await #expect(throws: RenderError.self) { try await renderer.probe(path) }
    #expect(error?.detail.hasSuffix("xx…") == true || error?.detail.hasSuffix("xx") == true)
    #expect((error?.detail.utf8.count ?? 0) <= 500)
    await renderer.shutdown()
  }

  @Test("does not delay the program by endless output to standard error")
  func endlessErrors() async throws {
    let helper = try BadHelper("while :; do echo more >&2; done")
    let renderer = helper.renderer { $0.imageSeconds = 0.5 }
    let path = try helper.folder.file("a.png", TestPicture.png(width: 4, height: 3))
    let error = await #expect(throws: RenderError.self) { try await renderer.probe(path) }
    // Which of the two times of the limit ends it depends on its share of the processors.
    #expect(error?.detail.contains("limits.thumbnailSeconds") == true)
    await renderer.shutdown()
  }
}

@Suite("The size in the header of an image") struct EncodedSizeTests {
  @Test("is that of the image")
  func sizes() {
    let png = TestPicture.png(width: 300, height: 2)
    #expect(EncodedSize(png, format: .png) == EncodedSize(width: 300, height: 2))
    let jpeg = TestJPEG.squares([[1, 2, 3], [4, 5, 6]], transform: .yCbCr, profile: [1, 2])
    #expect(EncodedSize(jpeg, format: .jpeg) == EncodedSize(width: 16, height: 8))
    #expect(EncodedSize(png, format: .jpeg) == nil && EncodedSize(jpeg, format: .png) == nil)
  }

  @Test("is unknown if the header is truncated, and nothing is read beyond the bytes")
  func cut() {
    let jpeg = TestJPEG.squares([[1, 2, 3]], profile: [1, 2])
    for count in 0..<40 { #expect(EncodedSize(Array(jpeg.prefix(count)), format: .jpeg) == nil) }
    // Segments without end: more than any picture of ours has before its frame header.
    let comments = Array(repeating: [UInt8]([0xff, 0xfe, 0, 2]), count: 100_000).flatMap(\.self)
    #expect(EncodedSize([0xff, 0xd8] + comments, format: .jpeg) == nil)
    #expect(EncodedSize([0xff, 0xd8, 0xff, 0xfe, 0, 0] + comments, format: .jpeg) == nil)
  }
}
