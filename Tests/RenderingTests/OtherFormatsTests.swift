import Models
import Rendering
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

/// M6: what libvips' workers show, by value.
@Suite("Formats by libvips") struct OtherFormatsTests {
  private static let palette: [[UInt8]] = [
    [250, 10, 20], [0, 90, 240], [255, 255, 255], [0, 0, 0],
  ]

  @Test(
    "of an animated GIF the first frame is shown, and it is called animated", arguments: [1, 3])
  func gif(_ count: Int) async throws {
    let frames: [[UInt8]] = [[0, 1, 1, 0, 0, 2], [2, 2, 2, 2, 2, 2], [3, 3, 3, 3, 3, 3]]
    let shown = try await Shown(
      TestGIF.file(
        width: 3, height: 2, palette: Self.palette, frames: Array(frames.prefix(count))))
    #expect(shown.info.isAnimated == (count > 1))
    #expect((shown.info.width, shown.info.height, shown.info.pageCount) == (3, 2, 1))
    for (index, colour) in frames[0].enumerated() {
      #expect(shown.colour(index % 3, index / 3) == Self.palette[Int(colour)] + [255])
    }
  }

  @Test(
    "the part of a GIF that its first frame does not cover is transparent, as in browsers",
    arguments: [1, 3])
  func uncoveredGIF(_ count: Int) async throws {
    let frame: [UInt8] = [0, 1, 1, 0, 0, 2]
    var file = TestGIF.file(
      width: 3, height: 2, palette: Self.palette, frames: Array(repeating: frame, count: count))
    // The canvas.
    file.replaceSubrange(6..<10, with: [5, 0, 4, 0])
    let shown = try await Shown(file)
    #expect((shown.info.width, shown.info.height, shown.info.hasAlpha) == (5, 4, true))
    #expect(shown.info.isAnimated == (count > 1) && shown.damage == nil)
    for (index, colour) in frame.enumerated() {
      #expect(shown.colour(index % 3, index / 3) == Self.palette[Int(colour)] + [255])
    }
    for (x, y) in [(3, 0), (4, 1), (0, 2), (4, 3)] { #expect(shown.colour(x, y)[3] == 0) }
  }

  @Test(
    "HEIF and AVIF are shown where libvips of this machine can write them",
    arguments: [("heic", ResourceFormat.heif), ("avif", .avif)])
  func newer(_ suffix: String, _ format: ResourceFormat) async throws {
    let colours: [[UInt8]] = [[220, 40, 30], [20, 60, 200]]
    let picture = TestPicture.png(width: 64, height: 48) { x, _ in
      let colour = colours[x / 32]
      return (colour[0], colour[1], colour[2], 255)
    }
    let shown = try await Shown(try Self.converted(picture, to: suffix))
    #expect(shown.info.format == format)
    #expect((shown.info.width, shown.info.height, shown.info.isAnimated) == (64, 48, false))
    #expect(distance(shown.colour(12, 24), colours[0] + [255]) <= 12)
    #expect(distance(shown.colour(52, 24), colours[1] + [255]) <= 12)
  }

  /// By the program `vips`; the test ends without a verdict where that cannot write the format.
  private static func converted(_ png: [UInt8], to suffix: String) throws -> [UInt8] {
    let folder = try ScratchFolder()
    let source = try folder.file("source.png", png)
    let target = folder.path + "/target." + suffix
    let child = try ChildProcess(
      ProcessLaunch(
        path: "/usr/bin/env", arguments: ["vips", "copy", source, target + "[Q=95]"],
        streams: [.none, .none, .none]))
    guard child.wait(before: .after(seconds: 600))?.status == .code(0) else {
      try Test.cancel("no vips (libvips-tools) that writes \(suffix)")
    }
    return try FileSystem.contents(of: target, limit: 1 << 20)
  }
}
