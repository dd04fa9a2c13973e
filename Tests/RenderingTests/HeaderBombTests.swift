import Models
import Rendering
import RenderingSandbox
import TestSupport
import Testing

/// M2: files of some bytes that say that they are huge are refused by what they say.
@Suite("Bombs") struct HeaderBombTests {
  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func big(_ value: Int, _ count: Int) -> [UInt8] {
    Array(little(value, count).reversed())
  }

  /// A start of frame and a start of scan with nothing behind.
  static func jpeg(width: Int, height: Int) -> [UInt8] {
    [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0]
      + [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0xff, 0xd9]
  }

  static func png(width: Int, height: Int, isInterlaced: Bool = false) -> [UInt8] {
    var bytes = TestPicture.png(width: 1, height: 1)
    let header = TestPicture.chunk(
      "IHDR", big(width, 4) + big(height, 4) + [8, 6, 0, 0, isInterlaced ? 1 : 0])
    bytes.replaceSubrange(8..<(8 + header.count), with: header)
    return bytes
  }

  /// Each frame is one pixel on a canvas of the given size.
  static func gif(width: Int, height: Int, frames: Int) -> [UInt8] {
    var bytes = Array("GIF89a".utf8) + little(width, 2) + little(height, 2)
    bytes += [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    let frame: [UInt8] = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
    for _ in 0..<frames { bytes += frame }
    return bytes + [0x3b]
  }

  static func webP(width: Int, height: Int) -> [UInt8] {
    let header = [2, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3)
    let body = Array("WEBPVP8X".utf8) + little(10, 4) + header.map { UInt8($0) }
    return Array("RIFF".utf8) + little(body.count, 4) + body
  }

  static func bmp(width: Int, height: Int) -> [UInt8] {
    Array("BM".utf8) + little(60, 4) + little(0, 4) + little(54, 4) + little(40, 4)
      + little(width, 4) + little(height, 4) + little(1, 2) + little(24, 2) + little(0, 24)
  }

  @Test(
    "are refused from the header, by the setting's name",
    arguments: [
      (jpeg(width: 65_500, height: 65_500), "limits.imagePixels"),
      (jpeg(width: 65_500, height: 8_000), "limits.imagePixels"),
      (png(width: 2_147_483_647, height: 2_147_483_647), "limits.imageSide"),
      (png(width: 20_000, height: 30_000), "limits.imagePixels"),
      (png(width: 20_000, height: 20_000, isInterlaced: true), "limits.imageMemory"),
      (webP(width: 2_000_000, height: 2), "limits.imageSide"),
      (bmp(width: 2_000_000_000, height: 1), "limits.imageSide"),
    ])
  func refused(_ bytes: [UInt8], _ setting: String) async throws {
    let folder = try ScratchFolder()
    let path = try folder.file("bomb", bytes)
    let renderer = WorkerPoolRenderer(.test(workers: 1))
    let error = await #expect(throws: RenderError.self) {
      try await renderer.render(RenderJob(path: path, sides: [256]))
    }
    #expect(error?.code == .limit)
    #expect(error?.detail.contains(setting) == true, "\(error?.detail ?? "")")
    await renderer.shutdown()
  }

  @Test("may be looked at all the same where a job brings other limits")
  func otherLimits() async throws {
    let folder = try ScratchFolder()
    let path = try folder.file("wide.png", TestPicture.png(width: 300, height: 2))
    var configuration = WorkerPoolConfiguration.test(workers: 1)
    configuration.limits.side = 299
    let renderer = WorkerPoolRenderer(configuration)
    var job = RenderJob(path: path, sides: [100])
    let error = await #expect(throws: RenderError.self) { try await renderer.render(job) }
    #expect(error?.detail.contains("limits.imageSide (299)") == true)
    job.limits = RenderLimits()
    #expect(try await renderer.render(job).renditions.first?.width == 100)
    #expect(try await renderer.probe(path, limits: RenderLimits()).width == 300)
    await renderer.shutdown()
  }
}
