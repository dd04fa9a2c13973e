@testable import Terminal

enum TestImages {
  /// Every pixel tells where it is.
  static func gradient(_ width: Int, _ height: Int, alpha: Bool = false) throws -> Image {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        pixels += [UInt8(x * 255 / max(1, width - 1)), UInt8(y * 255 / max(1, height - 1)), 77]
        if alpha { pixels.append(UInt8((x + y) % 256)) }
      }
    }
    guard
      let image = Image(
        width: width, height: height, format: alpha ? .rgba : .rgb, pixels: pixels)
    else { throw Unusable() }
    return image
  }

  /// Noise, which does not compress.
  static func noise(_ width: Int, _ height: Int) throws -> Image {
    var state: UInt32 = 1
    let pixels = (0..<width * height * 3).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
    guard let image = Image(width: width, height: height, format: .rgb, pixels: pixels) else {
      throw Unusable()
    }
    return image
  }

  static func flat(_ width: Int, _ height: Int, _ colour: (UInt8, UInt8, UInt8)) throws -> Image {
    let pixels = (0..<width * height).flatMap { _ in [colour.0, colour.1, colour.2] }
    guard let image = Image(width: width, height: height, format: .rgb, pixels: pixels) else {
      throw Unusable()
    }
    return image
  }

  struct Unusable: Error {}
}
