import Models
import Rendering
import Synchronization
import TestSupport
import Testing

/// What every renderer does, the fake included: a rule for each sentence.
struct RendererRule: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let check: @Sendable (any Renderer, ScratchFolder) async throws -> Void

  init(
    _ name: String, _ check: @escaping @Sendable (any Renderer, ScratchFolder) async throws -> Void
  ) {
    testDescription = name
    self.check = check
  }
}

enum RendererContract {
  static let rules = pictures + handing + refusals + endings

  /// What a caller was given, and the call that it has to do with.
  private final class Hands: Sendable {
    let results = Mutex<[RenderResult]>([])
    let call = Mutex<Task<RenderResult, any Error>?>(nil)
  }

  private static let handing = [
    RendererRule("hands the result over once before it returns it, cancelled meanwhile or not") {
      renderer, folder in
      let path = try folder.file("a.png", TestPicture.png(width: 30, height: 20))
      let hands = Hands()
      let call = Task {
        try await renderer.render(RenderJob(path: path, sides: [16])) { result in
          hands.results.withLock { $0.append(result) }
          while true {
            guard let call = hands.call.withLock({ $0 }) else { continue }
            return call.cancel()
          }
        }
      }
      hands.call.withLock { $0 = call }
      let result = try await call.value
      #expect(hands.results.withLock { $0 } == [result])
    },
    RendererRule("delivers nothing for a file without images") { renderer, folder in
      let path = try folder.file("a.png", Array("no picture".utf8))
      let hands = Hands()
      await #expect(throws: RenderError.self) {
        try await renderer.render(RenderJob(path: path, sides: [16])) { result in
          hands.results.withLock { $0.append(result) }
        }
      }
      #expect(hands.results.withLock { $0.isEmpty })
    },
  ]

  private static let pictures = [
    RendererRule("reports the format by the bytes, not by the name") { renderer, folder in
      let path = try folder.file("photo.jpg", TestPicture.png(width: 30, height: 20))
      let info = try await renderer.probe(path)
      #expect(info.format == .png)
      #expect((info.width, info.height, info.pageCount) == (30, 20, 1))
    },
    RendererRule("draws one image for each side, in the requested order") { renderer, folder in
      let path = try folder.file("wide.png", TestPicture.png(width: 600, height: 300))
      let result = try await renderer.render(RenderJob(path: path, sides: [512, 256, 100]))
      #expect(result.renditions.map(\.width) == [512, 256, 100])
      #expect(result.renditions.map(\.height) == [256, 128, 50])
      #expect(result.renditions.allSatisfy { ResourceFormat(sniffing: $0.bytes) == $0.format })
    },
    RendererRule("does not enlarge an image") { renderer, folder in
      let path = try folder.file("small.png", TestPicture.png(width: 7, height: 9))
      let result = try await renderer.render(RenderJob(path: path, sides: [256]))
      #expect(result.renditions.first?.width == 7)
      #expect(result.renditions.first?.height == 9)
    },
    RendererRule("keeps a line of pixels a line") { renderer, folder in
      let path = try folder.file("line.png", TestPicture.png(width: 2_000, height: 1))
      let result = try await renderer.render(RenderJob(path: path, sides: [256]))
      #expect(result.renditions.first?.width == 256)
      #expect(result.renditions.first?.height == 1)
    },
  ]

  private static let refusals = [
    RendererRule("reports that a file has no preview") { renderer, folder in
      let path = try folder.file("photo.png", Array("only text\n".utf8))
      let error = await #expect(throws: RenderError.self) { try await renderer.probe(path) }
      #expect(error == RenderError(.unsupported, "no preview (text/plain)"))
    },
    RendererRule("names the file that is missing") { renderer, folder in
      let error = await #expect(throws: RenderError.self) {
        try await renderer.probe(folder.path + "/nothing.png")
      }
      #expect(error?.code == .io)
      #expect(error?.detail.contains("nothing.png") == true)
    },
    RendererRule("calls an empty file empty") { renderer, folder in
      let path = try folder.file("empty.png", [])
      let error = await #expect(throws: RenderError.self) { try await renderer.probe(path) }
      #expect(error == RenderError(.damaged, "the file is empty"))
    },
    RendererRule("never takes an image for whole that is truncated in its pixels") {
      renderer, folder in
      let whole = TestPicture.png(width: 64, height: 64)
      for missing in [13, 20, whole.count / 2] {
        let path = try folder.file("cut.png", Array(whole.dropLast(missing)))
        let error = await renderer.failure(RenderJob(path: path, sides: [32]))
        #expect(error?.code == .truncated, "\(missing) bytes are missing")
      }
    },
    RendererRule("refuses a page that does not exist") { renderer, folder in
      let path = try folder.file("one.png", TestPicture.png(width: 8, height: 8))
      let error = await #expect(throws: RenderError.self) {
        try await renderer.render(RenderJob(path: path, page: 1, sides: [8]))
      }
      #expect(error?.code == .damaged)
    },
    RendererRule("refuses a size beyond the limits from the header") { renderer, folder in
      var bytes = TestPicture.png(width: 1, height: 1)
      let header = TestPicture.chunk("IHDR", [0, 1, 0, 0, 0, 1, 0, 0, 8, 6, 0, 0, 0])
      bytes.replaceSubrange(8..<(8 + header.count), with: header)
      let path = try folder.file("bomb.png", bytes)
      let error = await #expect(throws: RenderError.self) {
        try await renderer.render(RenderJob(path: path, sides: [256]))
      }
      #expect(error?.code == .limit)
      #expect(error?.detail.contains("limits.imagePixels") == true)
    },
  ]

  private static let endings = [
    RendererRule("answers a cancelled task at once") { renderer, folder in
      let path = try folder.file("late.png", TestPicture.png(width: 8, height: 8))
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return try await renderer.probe(path)
      }
      task.cancel()
      let error = await #expect(throws: RenderError.self) { try await task.value }
      #expect(error?.code == .cancelled)
    },
    RendererRule("answers no call after its shutdown") { renderer, folder in
      let path = try folder.file("late.png", TestPicture.png(width: 8, height: 8))
      await renderer.shutdown()
      let error = await #expect(throws: RenderError.self) { try await renderer.probe(path) }
      #expect(error?.code == .cancelled)
    },
  ]
}

extension Renderer {
  /// Why there is no picture, or only a part of one.
  func failure(_ job: RenderJob) async -> RenderError? {
    do throws(RenderError) {
      return try await render(job).damage
    } catch {
      return error
    }
  }
}
