import Rendering
import Screens
import Terminal

/// Converts the pixels of a worker to the terminal's format, rotated and inverted as requested.
enum Pixels {
  static func makeAnswer(_ result: RenderResult, _ key: ImageKey) -> ImageAnswer {
    guard let rendition = result.renditions.first, let pixels = PixelRendition(rendition) else {
      return .problem("the decoder returned no pixels")
    }
    let turned = key.turns % 2 != 0
    let (width, height) =
      turned ? (pixels.height, pixels.width) : (pixels.width, pixels.height)
    let image = Image(
      width: width, height: height, format: .rgba,
      pixels: convert(pixels, turns: key.turns, isInverted: key.isInverted))
    return image.map { .image($0) } ?? .problem("the image has an invalid size")
  }

  /// Converts from blue, green, red, alpha to red, green, blue, alpha.
  private static func convert(
    _ image: PixelRendition, turns: Int, isInverted: Bool
  ) -> [UInt8] {
    let (width, height) = (image.width, image.height)
    let flip: UInt8 = isInverted ? 255 : 0
    let count = width * height
    return image.pixels.withUnsafeBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: count * 4) { target, filled in
        for y in 0..<height {
          for x in 0..<width {
            let place: Int
            switch turns & 3 {
            case 0: place = y &* width &+ x
            case 1: place = x &* height &+ (height &- 1 &- y)
            case 2: place = count &- 1 &- (y &* width &+ x)
            default: place = (width &- 1 &- x) &* height &+ y
            }
            let from = (y &* width &+ x) &* 4
            let to = place &* 4
            target[to] = source[from &+ 2] ^ flip
            target[to &+ 1] = source[from &+ 1] ^ flip
            target[to &+ 2] = source[from] ^ flip
            target[to &+ 3] = source[from &+ 3]
          }
        }
        filled = count * 4
      }
    }
  }
}
