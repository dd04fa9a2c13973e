import Decoding
import Models
import Rendering
import RenderingCodecs
import RenderingVips
import TestSupport
import Testing

@Suite("Scans of a JPEG") struct JPEGScansTests {
  private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xff, marker, 0, UInt8(body.count + 2)] + body
  }

  private static func frame(_ marker: UInt8) -> [UInt8] {
    segment(marker, [8, 0, 8, 0, 8, 3] + (1...3).flatMap { [$0, 0x11, 0] as [UInt8] })
  }

  private static func scan(_ components: [UInt8], _ first: UInt8, _ last: UInt8) -> [UInt8] {
    segment(
      0xda, [UInt8(components.count)] + components.flatMap { [$0, 0] } + [first, last, 0])
      + [1, 2, 3, 0xff, 0, 0xff, 0xd0, 4]
  }

  private static func damage(_ parts: [UInt8]...) -> RenderError? {
    let file: [UInt8] = [0xff, 0xd8] + Array(parts.joined()) + [0xff, 0xd9]
    return file.withUnsafeBytes { JPEGScans(ByteView($0)).damage }
  }

  @Test("that bring every component are whole, progressive or not")
  func whole() {
    #expect(Self.damage(Self.frame(0xc0), Self.scan([1, 2, 3], 0, 63)) == nil)
    #expect(
      Self.damage(
        Self.frame(0xc0), Self.scan([1], 0, 63), Self.scan([2], 0, 63), Self.scan([3], 0, 63))
        == nil)
    #expect(
      Self.damage(
        Self.frame(0xc2), Self.scan([1, 2, 3], 0, 0), Self.scan([1], 1, 5), Self.scan([1], 6, 63))
        == nil)
  }

  @Test("that leave a component out, or the detail of the first one, are damage")
  func missing() {
    #expect(Self.damage(Self.frame(0xc0), Self.scan([1], 0, 63))?.code == .damaged)
    #expect(Self.damage(Self.frame(0xc2), Self.scan([1, 2, 3], 0, 0))?.code == .damaged)
    #expect(
      Self.damage(Self.frame(0xc2), Self.scan([1, 2, 3], 0, 0), Self.scan([1], 1, 5))?.code
        == .damaged)
  }

  @Test("lost from a photo leave its upper part, and grey below", arguments: ["codecs", "vips"])
  func photo(_ name: String) throws {
    let decoder: any ImageDecoder = try name == "vips" ? VipsDecoder() : CodecsDecoder()
    let whole = try Pictures.jpeg(width: 320, height: 240)
    let original = try whole.asSource { try decoder.thumbnail($0, side: 320) }
    for end in [[], [0xff, 0xd9]] as [[UInt8]] {
      let cut = Array(whole.prefix(whole.count / 2)) + end
      let page = try cut.asSource { try decoder.decode($0, page: 0, side: 320) }
      #expect(page.damage?.code == (end.isEmpty ? .truncated : .damaged))
      let raster = page.raster.scaled(to: PixelSize(width: 320, height: 240))
      let count = 320 * 60 * 3
      let top = zip(raster.rgb.prefix(count), original.rgb.prefix(count)).map { abs($0 - $1) }
      #expect(top.reduce(0, +) / Double(count) < 2)
      #expect(raster.rgb.suffix(320 * 3).allSatisfy { abs($0 - 128) <= 2 })
    }
  }
}
