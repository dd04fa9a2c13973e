import Decoding
import Testing

@Suite("Scaling") struct ScalingTests {
  @Test(
    "keeps the longest side exact and the other at least one pixel",
    arguments: [
      (480, 360, 256, 256, 192), (360, 480, 256, 192, 256), (256, 10, 256, 256, 10),
      (10_000, 1, 256, 256, 1), (3, 2, 256, 3, 2), (1_000, 999, 256, 256, 256),
    ])
  func fits(_ width: Int, _ height: Int, _ side: Int, _ fitWidth: Int, _ fitHeight: Int) {
    let size = PixelSize(width: width, height: height).fitting(side)
    #expect(size == PixelSize(width: fitWidth, height: fitHeight))
  }

  @Test("leaves one colour that colour", arguments: [(17, 13), (64, 64), (200, 3), (1, 1)])
  func constant(_ width: Int, _ height: Int) {
    let bytes = (0..<(width * height)).flatMap { _ -> [UInt8] in [200, 10, 77, 255] }
    let plane = Plane(width: width, height: height, pixelSize: 4, bytes: bytes)
    let raster = Raster(layout: .rgba(isOpaque: true), planes: [plane])
    for side in [1, 2, 7, 16] {
      let scaled = raster.scaled(to: PixelSize(width: width, height: height).fitting(side))
      let pixels = stride(from: 0, to: scaled.planes[0].bytes.count, by: 4).map {
        Array(scaled.planes[0].bytes[$0..<($0 + 4)])
      }
      #expect(pixels.allSatisfy { $0 == [200, 10, 77, 255] })
    }
  }

  @Test("takes each pixel of a smaller picture from where it lies in the larger one")
  func ramps() {
    // Red counts columns, green counts rows.
    let bytes = (0..<(200 * 160)).flatMap { index -> [UInt8] in
      [UInt8(index % 200), UInt8(index / 200), 0, 255]
    }
    let plane = Plane(width: 200, height: 160, pixelSize: 4, bytes: bytes)
    let raster = Raster(layout: .rgba(isOpaque: true), planes: [plane])
    for (width, height) in [(100, 80), (50, 40), (75, 60), (133, 106)] {
      let scaled = raster.scaled(to: PixelSize(width: width, height: height)).planes[0]
      // Away from the rims, where there is nothing to weigh against.
      for (x, y) in [(width / 4, height / 4), (width / 2, height / 2), (width - 20, height - 20)] {
        let pixel = scaled.bytes[((y * width + x) * 4)...]
        let column = (Double(x) + 0.5) * 200 / Double(width) - 0.5
        let row = (Double(y) + 0.5) * 160 / Double(height) - 0.5
        #expect(abs(Double(pixel[pixel.startIndex]) - column) <= 1)
        #expect(abs(Double(pixel[pixel.startIndex + 1]) - row) <= 1)
      }
    }
  }

  @Test("turns every orientation upright, to the byte", arguments: Orientation.allCases)
  func orientations(_ orientation: Orientation) {
    for (width, height) in [(5, 3), (16, 9), (1, 4), (24, 17)] {
      let upright = Pictures.waves(width: width, height: height)
      let turned = upright.stored(as: orientation).scaled(
        to: PixelSize(width: width, height: height), orientation)
      #expect(turned.planes[0].bytes == upright.planes[0].bytes)
      #expect(turned.width == width)
    }
  }

  @Test("gives the same picture from every orientation when it also shrinks")
  func shrinksTurned() {
    let upright = Pictures.waves(width: 121, height: 75)
    let size = PixelSize(width: 121, height: 75).fitting(40)
    let expected = upright.scaled(to: size)
    for orientation in Orientation.allCases {
      let turned = upright.stored(as: orientation).scaled(to: size, orientation)
      #expect(psnr(turned, expected) > 50, "\(orientation)")
    }
  }

  @Test("lets hidden colour not bleed into what is seen")
  func transparency() throws {
    // Opaque red beside invisible green.
    var rows = RowReducer(width: 64, height: 16, side: 16, isOpaque: false)
    for _ in 0..<16 {
      var row = (0..<64).flatMap { x -> [UInt8] in x % 2 == 0 ? [255, 0, 0, 255] : [0, 255, 0, 0] }
      row.withUnsafeMutableBufferPointer { rows.push($0) }
    }
    let raster = try #require(rows.finish())
    #expect(rows.factor == 2)
    let bytes = raster.scaled(to: PixelSize(width: 16, height: 4)).planes[0].bytes
    let greens = stride(from: 1, to: bytes.count, by: 4).map { bytes[$0] }
    #expect(greens.allSatisfy { $0 == 0 })
    #expect(bytes[3] > 120 && bytes[3] < 136)
  }

  @Test("gives no raster while rows are missing")
  func unfinished() {
    var rows = RowReducer(width: 4, height: 2, side: 4, isOpaque: true)
    #expect(rows.finish() == nil)
    var row = [UInt8](repeating: 9, count: 16)
    row.withUnsafeMutableBufferPointer { rows.push($0) }
    #expect(rows.finish() == nil)
    row.withUnsafeMutableBufferPointer { rows.push($0) }
    #expect(rows.finish()?.planes[0].bytes.count == 32)
  }
}
