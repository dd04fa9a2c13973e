import Decoding
import Models
import Rendering
import RenderingCodecs
import Testing

@Suite("Pixels for display") struct PixelTests {
  @Test(
    "of a JPEG are those of the image, at any size",
    arguments: [(1, 1), (9, 7), (120, 81), (640, 427), (257, 256)])
  func jpeg(_ width: Int, _ height: Int) throws {
    let bytes = try Pictures.jpeg(width: width, height: height)
    let raster = try bytes.asSource { try CodecsDecoder().thumbnail($0, side: 1_000) }
    let rendition = try ImageEncoder().encode(raster, quality: 0)
    #expect(ResourceFormat(sniffing: rendition.bytes) == .bmp)
    let pixels = try #require(PixelRendition(rendition))
    #expect((pixels.width, pixels.height) == (width, height))
    let shown = Raster(
      layout: .rgba(isOpaque: true),
      planes: [Plane(width: width, height: height, pixelSize: 4, bytes: Self.redFirst(pixels))])
    #expect(psnr(shown, Pictures.waves(width: width, height: height)) > 28)
  }

  @Test("of an image with transparency keep it, and are not premultiplied")
  func alpha() throws {
    // Half transparent orange, multiplied: 200, 100, 40 × 128 / 255.
    let plane = Plane(width: 1, height: 1, pixelSize: 4, bytes: [100, 50, 20, 128])
    let rendition = try ImageEncoder().encode(
      Raster(layout: .rgba(isOpaque: false), planes: [plane]), quality: 0)
    let pixels = try #require(PixelRendition(rendition))
    #expect(Array(pixels.pixels) == [40, 100, 199, 128])
  }

  @Test("of invalid input are refused: another size, another header, more bytes")
  func refused() throws {
    let bytes = PixelRendition.header(width: 2, height: 1) + [UInt8](repeating: 7, count: 8)
    func rendition(_ bytes: [UInt8], _ width: Int = 2) -> Rendition {
      Rendition(format: .bmp, width: width, height: 1, bytes: bytes)
    }
    #expect(PixelRendition(rendition(bytes)) != nil)
    #expect(PixelRendition(rendition(bytes, 3)) == nil)
    #expect(PixelRendition(rendition(bytes + [0])) == nil)
    #expect(PixelRendition(rendition(bytes, .max)) == nil)
    var other = bytes
    other[28] = 24
    #expect(PixelRendition(rendition(other)) == nil)
  }

  private static func redFirst(_ picture: PixelRendition) -> [UInt8] {
    let bytes = Array(picture.pixels)
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 4) {
      result.append(bytes[start + 2])
      result.append(bytes[start + 1])
      result.append(bytes[start])
      result.append(bytes[start + 3])
    }
    return result
  }
}
