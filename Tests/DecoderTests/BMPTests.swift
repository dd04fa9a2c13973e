import Decoding
import Rendering
import RenderingCodecs
import Testing

@Suite("BMP") struct BMPTests {
  private static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// - Parameter extra: masks or palette, between the header and the pixels.
  private static func file(
    width: Int, height: Int, bits: Int, compression: Int = 0, extra: [UInt8] = [],
    pixels: [UInt8]
  ) -> [UInt8] {
    let offset = 54 + extra.count
    return Array("BM".utf8) + number(offset + pixels.count, 4) + number(0, 4) + number(offset, 4)
      + number(40, 4) + number(width, 4) + number(height, 4) + number(1, 2) + number(bits, 2)
      + number(compression, 4) + number(pixels.count, 4) + number(0, 16) + extra + pixels
  }

  /// Red, green / blue, white, from top left to bottom right.
  private static let expected: [UInt8] = [
    255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255,
  ]

  /// Blue, green, red and a zero for each index.
  private static let palette: [UInt8] = [
    0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0,
  ]

  private static let same: [(String, [UInt8])] = [
    (
      "24 bits",
      file(
        width: 2, height: 2, bits: 24,
        pixels: [255, 0, 0, 255, 255, 255, 0, 0, 0, 0, 255, 0, 255, 0, 0, 0])
    ),
    (
      "32 bits from the top",
      file(
        width: 2, height: -2, bits: 32,
        pixels: [0, 0, 255, 9, 0, 255, 0, 9, 255, 0, 0, 9, 255, 255, 255, 9])
    ),
    (
      "16 bits with masks",
      file(
        width: 2, height: 2, bits: 16, compression: 3,
        extra: [0, 0xf8, 0, 0, 0xe0, 0x07, 0, 0, 0x1f, 0, 0, 0],
        pixels: [0x1f, 0, 0xff, 0xff, 0, 0xf8, 0xe0, 0x07])
    ),
    (
      "4 bits",
      file(
        width: 2, height: 2, bits: 4, extra: palette + [UInt8](repeating: 0, count: 48),
        pixels: [0x23, 0, 0, 0, 0x01, 0, 0, 0])
    ),
    (
      "runs of 8 bits",
      file(
        width: 2, height: 2, bits: 8, compression: 1,
        extra: palette + [UInt8](repeating: 0, count: 1_008),
        pixels: [1, 2, 1, 3, 0, 0, 1, 0, 1, 1, 0, 1])
    ),
  ]

  /// 2 × 2 pixels of 24 bits.
  static var sample: [UInt8] { same[0].1 }

  @Test("of every kind gives the same picture", arguments: same)
  func kinds(_ name: String, _ bytes: [UInt8]) throws {
    let raster = try bytes.asSource { try CodecsDecoder().thumbnail($0, side: 2) }
    #expect(raster.planes[0].bytes == Self.expected)
  }

  @Test("whose pixels all are transparent is opaque, because its writer has left alpha empty")
  func emptyAlpha() throws {
    let masks: [UInt8] = [0, 0, 0xff, 0, 0, 0xff, 0, 0, 0xff, 0, 0, 0, 0, 0, 0, 0xff]
    var pixels: [UInt8] = [0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0]
    func shown() throws -> (bytes: [UInt8], hasAlpha: Bool) {
      let file = Self.file(
        width: 2, height: -2, bits: 32, compression: 6, extra: masks, pixels: pixels)
      return try file.asSource {
        let decoder = try CodecsDecoder()
        return (try decoder.thumbnail($0, side: 2).planes[0].bytes, try decoder.probe($0).hasAlpha)
      }
    }
    #expect(try shown() == (Self.expected, false))
    pixels[3] = 255
    let partly = try shown()
    #expect(partly.hasAlpha && partly.bytes.prefix(8).elementsEqual([255, 0, 0, 255, 0, 0, 0, 0]))
  }

  @Test("is a failure when its rows are missing", arguments: same)
  func truncated(_ name: String, _ bytes: [UInt8]) throws {
    let error = #expect(throws: RenderError.self) {
      try Array(bytes.dropLast(4)).asSource {
        try CodecsDecoder().thumbnail($0, side: 2)
      }
    }
    #expect(error?.code == .truncated)
  }

  @Test("survives any byte changed", arguments: same)
  func mutations(_ name: String, _ bytes: [UInt8]) throws {
    let decoder = try CodecsDecoder()
    for index in bytes.indices.prefix(80) {
      for value in [UInt8(0), 1, 0x7f, 0x80, 0xff] {
        var changed = bytes
        changed[index] = value
        do throws(RenderError) {
          #expect(try changed.asRaster(decoder, side: 2).width > 0)
        } catch {
          #expect(!error.detail.isEmpty)
        }
      }
    }
  }
}
