import Rendering
import Testing

@Suite("The size of samples")
struct SampleGeometryTests {
  private static func geometry(
    _ width: Int, _ height: Int, _ mode: SampleOptions.Mode, onlyIfBigger: Bool = false
  ) -> [Int] {
    var options = SampleOptions()
    options.mode = mode
    options.onlyIfBigger = onlyIfBigger
    let result = SampleGeometry(imageWidth: width, imageHeight: height, options)
    return [result.scaledWidth, result.scaledHeight, result.width, result.height]
  }

  @Test("Each mode scales the side that it names")
  func modes() {
    #expect(Self.geometry(1_000, 500, .unchanged) == [1_000, 500, 1_000, 500])
    #expect(Self.geometry(1_000, 500, .keepRatio) == [512, 256, 512, 256])
    #expect(Self.geometry(1_000, 500, .keepRatioLargest) == [256, 128, 256, 128])
    #expect(Self.geometry(1_000, 500, .centerCrop) == [512, 256, 256, 256])
    #expect(Self.geometry(1_000, 500, .border) == [256, 128, 256, 256])
  }

  @Test("A small image is enlarged unless only bigger ones are scaled")
  func smallImages() {
    #expect(Self.geometry(100, 50, .border) == [256, 128, 256, 256])
    #expect(Self.geometry(100, 50, .border, onlyIfBigger: true) == [100, 50, 100, 50])
    #expect(Self.geometry(600, 100, .keepRatio, onlyIfBigger: true) == [600, 100, 600, 100])
  }

  @Test("Halves of a pixel are rounded to even, and a side has at least one pixel")
  func rounding() {
    #expect(Self.geometry(512, 5, .keepRatioLargest) == [256, 2, 256, 2])
    #expect(Self.geometry(512, 7, .keepRatioLargest) == [256, 4, 256, 4])
    #expect(Self.geometry(10_000, 1, .border) == [256, 1, 256, 256])
  }

  @Test("The tests come in the order size, area, aspect ratio")
  func rejections() {
    var options = SampleOptions()
    options.minimumSide = 10
    options.maximumArea = 10_000
    options.maximumAspectRatio = 3
    #expect(options.rejection(width: 5, height: 100_000) == .tooSmall)
    #expect(options.rejection(width: 1_000, height: 11) == .areaTooLarge)
    #expect(options.rejection(width: 310, height: 11) == .aspectRatioTooLarge)
    #expect(options.rejection(width: 30, height: 10) == nil)
    #expect(options.rejection(width: Int.max, height: 10) == .areaTooLarge)
  }
}
