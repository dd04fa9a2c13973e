import Decoding
import Rendering
import Testing

@Suite("The pixels of samples") struct SampleRasterTests {
  private static func grey(_ width: Int, _ height: Int, _ value: (Int, Int) -> UInt8) -> Raster {
    let bytes = (0..<(width * height)).map { value($0 % width, $0 / width) }
    return Raster(
      layout: .grey, planes: [Plane(width: width, height: height, pixelSize: 1, bytes: bytes)])
  }

  private static func sample(
    _ raster: Raster, _ mode: SampleOptions.Mode, side: Int,
    reducing: SampleOptions.Filter = .area, enlarging: SampleOptions.Filter = .lanczos
  ) -> Raster {
    var options = SampleOptions()
    options.mode = mode
    options.side = side
    options.reducing = reducing
    options.enlarging = enlarging
    return raster.sample(
      SampleGeometry(imageWidth: raster.width, imageHeight: raster.height, options))
  }

  @Test("The area filter returns the mean of the covered pixels")
  func area() {
    let raster = Self.grey(6, 6) { x, y in UInt8(x * 20 + y * 2) }
    let half = Self.sample(raster, .keepRatio, side: 3).planes[0]
    #expect(half.bytes == [11, 51, 91, 15, 55, 95, 19, 59, 99])
    // A ratio that is no integer: the middle pixel covers a half of two columns and rows.
    let steps = Self.grey(3, 3) { x, _ in [0, 90, 180][x] }
    let two = Self.sample(steps, .keepRatio, side: 2).planes[0]
    #expect(two.bytes == [30, 150, 30, 150])
  }

  @Test("Every filter keeps a constant image", arguments: SampleOptions.Filter.allCases)
  func constant(filter: SampleOptions.Filter) {
    for (width, height, side) in [(17, 5, 7), (5, 3, 64), (1, 1, 9), (300, 2, 16)] {
      let raster = Self.grey(width, height) { _, _ in 77 }
      let result = Self.sample(
        raster, .keepRatioLargest, side: side, reducing: filter, enlarging: filter)
      #expect(result.planes[0].bytes.allSatisfy { $0 == 77 })
    }
  }

  @Test("A crop is taken from the middle")
  func crop() {
    let raster = Self.grey(8, 4) { x, _ in UInt8(x) }
    let result = Self.sample(raster, .centerCrop, side: 4)
    #expect((result.width, result.height) == (4, 4))
    #expect(Array(result.planes[0].bytes.prefix(4)) == [2, 3, 4, 5])
  }

  @Test("A border is white, and one pixel wider at the end if it is odd")
  func border() {
    let raster = Self.grey(4, 1) { _, _ in 10 }
    let result = Self.sample(raster, .border, side: 4)
    #expect((result.width, result.height) == (4, 4))
    let rows = (0..<4).map { result.planes[0].bytes[$0 * 4] }
    #expect(rows == [255, 10, 255, 255])
  }

  @Test("Colour planes grow to the size of the image, between the samples of the file")
  func colour() {
    let luma = Plane(
      width: 4, height: 2, pixelSize: 1, bytes: [UInt8](repeating: 100, count: 8))
    let coarse = Plane(
      width: 2, height: 1, pixelSize: 1, coveredWidth: 2, coveredHeight: 1, bytes: [0, 200])
    let raster = Raster(layout: .yCbCr, planes: [luma, coarse, coarse])
    let result = Self.sample(raster, .unchanged, side: 4)
    // Three quarters of the nearer sample and a quarter of the farther one.
    #expect(result.planes[1].bytes == [0, 50, 150, 200, 0, 50, 150, 200])
    let bordered = Self.sample(raster, .border, side: 4)
    #expect(bordered.planes[1].bytes[0] == 128)
    #expect(bordered.planes[0].bytes[0] == 255)
  }

  @Test("Transparent pixels become white before they are scaled")
  func transparency() {
    // The colours are multiplied by alpha.
    let bytes: [UInt8] = [255, 0, 0, 255, 0, 0, 0, 0, 64, 0, 0, 128, 0, 0, 0, 255]
    let raster = Raster(
      layout: .rgba(isOpaque: false),
      planes: [Plane(width: 2, height: 2, pixelSize: 4, bytes: bytes)])
    let result = Self.sample(raster, .unchanged, side: 2)
    #expect(result.layout == .rgba(isOpaque: true))
    #expect(
      result.planes[0].bytes == [
        255, 0, 0, 255, 255, 255, 255, 255, 191, 127, 127, 255, 0, 0, 0, 255,
      ])
  }
}
