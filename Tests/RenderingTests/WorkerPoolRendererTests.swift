import Glibc
import Models
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

@Suite("A pool of workers") struct WorkerPoolRendererTests {
  @Test("renders a hundred pictures at the same time")
  func concurrent() async throws {
    let folder = try ScratchFolder()
    let renderer = WorkerPoolRenderer(.test())
    try await withThrowingTaskGroup(of: (Int, RenderResult).self) { group in
      for index in 1...100 {
        let path = try folder.file("\(index).png", TestPicture.png(width: index, height: 3))
        group.addTask { (index, try await renderer.render(RenderJob(path: path, sides: [256]))) }
      }
      for try await (index, result) in group {
        #expect(result.renditions.first?.width == index)
      }
    }
    await renderer.shutdown()
  }

  @Test("replaces its workers after their number of jobs and leaks nothing")
  func recycles() async throws {
    let helper = try BadHelper("true")
    let renderer = helper.renderer { $0.usesPerWorker = 5 }
    let path = try helper.folder.file("a.png", TestPicture.png(width: 4, height: 3))
    let before = try HungUpDescriptors.count
    for _ in 0..<800 { _ = try await renderer.probe(path) }
    await renderer.shutdown()
    // The last one may have a successor already.
    #expect((160...161).contains(try helper.started.count))
    #expect(try HungUpDescriptors.count < before + 80)
    for process in try helper.started { #expect(kill(process, 0) == -1) }
  }

  @Test("replaces a worker that met a damaged file")
  func damaged() async throws {
    let helper = try BadHelper("true")
    let renderer = helper.renderer()
    let sound = try helper.folder.file("a.png", TestPicture.png(width: 4, height: 3))
    var bytes = TestPicture.png(width: 4, height: 3)
    bytes[bytes.count - 14] ^= 1
    let bad = try helper.folder.file("bad.png", bytes)
    _ = try await renderer.probe(sound)
    _ = try await renderer.probe(sound)
    #expect(try helper.started.count == 1)
    #expect(await renderer.failure(RenderJob(path: bad, sides: [4]))?.code == .damaged)
    _ = try await renderer.probe(sound)
    #expect(try helper.started.count == 2)
    await renderer.shutdown()
  }

  @Test("answers a cancelled call at once and does the others")
  func cancelled() async throws {
    let helper = try BadHelper("\(Self.waitsForFile) ")
    let renderer = helper.renderer()
    let path = try helper.folder.file("a.png", TestPicture.png(width: 4, height: 3))
    let first = Task { try await renderer.probe(path) }
    while try helper.started.isEmpty { await Task.yield() }
    let second = Task { try await renderer.probe(path) }
    let third = Task { try await renderer.probe(path) }
    second.cancel()
    let error = await #expect(throws: RenderError.self) { try await second.value }
    #expect(error?.code == .cancelled)
    _ = try helper.folder.file("go", [])
    #expect(try await first.value.width == 4)
    #expect(try await third.value.width == 4)
    await renderer.shutdown()
  }

  /// Beside the program: the worker starts to work when the test writes the file `go`.
  private static let waitsForFile = #"while [ ! -e "$(dirname "$0")/go" ]; do :; done"#
}

@Suite("The setting adapters.decoder") struct DecoderSettingTests {
  @Test(
    "forces a decoder for the formats that it knows, and no others",
    arguments: ["auto", "codecs", "vips", "svg", "poppler"])
  func forced(_ decoder: String) async throws {
    var settings = Settings()
    settings.adapters.decoder = decoder
    let renderer = WorkerPoolRenderer(.test(workers: 1, settings))
    let folder = try ScratchFolder()
    let path = try folder.file("a.png", TestPicture.png(width: 400, height: 300, alpha: 128))
    let result = try await renderer.render(RenderJob(path: path, sides: [100, 40]))
    #expect(result.renditions.map(\.height) == [75, 30])
    #expect(result.renditions.allSatisfy { $0.format == .png })
    #expect(result.info == DocumentInfo(format: .png, width: 400, height: 300, hasAlpha: true))
    await renderer.shutdown()
  }
}
