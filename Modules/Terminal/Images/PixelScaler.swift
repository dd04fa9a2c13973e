/// Crops and shrinks images, so that no more pixels are sent than are visible.
enum PixelScaler {
  /// Crops the image to `source` and shrinks it to `limit`; each new pixel is the mean of those that it
  /// covers. The image is never enlarged, because terminals enlarge images themselves.
  /// - Returns: The new size, and the pixels in the format of the image.
  static func cut(
    _ image: Image, _ source: PixelRect, limit: PixelSize
  ) -> (size: PixelSize, pixels: [UInt8]) {
    let size = PixelSize(
      max(1, min(source.width, limit.width)), max(1, min(source.height, limit.height)))
    if size == PixelSize(source.width, source.height) {
      return (size, rows(of: image, source))
    }
    let channels = image.format.rawValue
    let pixels = [UInt8](unsafeUninitializedCapacity: size.width * size.height * channels) {
      buffer, count in
      image.pixels.withUnsafeBufferPointer { pixels in
        shrink(pixels, image.size.width, source, channels, to: size, buffer)
      }
      count = size.width * size.height * channels
    }
    return (size, pixels)
  }

  private static func rows(of image: Image, _ source: PixelRect) -> [UInt8] {
    if source == PixelRect(image.size) { return image.pixels }
    let channels = image.format.rawValue
    var result: [UInt8] = []
    result.reserveCapacity(source.width * source.height * channels)
    for y in source.y..<source.y + source.height {
      let start = (y * image.size.width + source.x) * channels
      result += image.pixels[start..<start + source.width * channels]
    }
    return result
  }

  private static func shrink(
    _ pixels: UnsafeBufferPointer<UInt8>, _ width: Int, _ source: PixelRect, _ channels: Int,
    to size: PixelSize, _ result: UnsafeMutableBufferPointer<UInt8>
  ) {
    var at = 0
    for y in 0..<size.height {
      let top = source.y &+ y &* source.height / size.height
      let bottom = source.y &+ (y &+ 1) &* source.height / size.height
      for x in 0..<size.width {
        let left = source.x &+ x &* source.width / size.width
        let right = source.x &+ (x &+ 1) &* source.width / size.width
        let count = UInt32((bottom &- top) &* (right &- left))
        for channel in 0..<channels {
          var sum: UInt32 = 0
          for row in top..<bottom {
            var index = (row &* width &+ left) &* channels &+ channel
            for _ in left..<right {
              sum &+= UInt32(pixels[index])
              index &+= channels
            }
          }
          result[at] = UInt8(truncatingIfNeeded: (sum &+ count / 2) / max(1, count))
          at &+= 1
        }
      }
    }
  }
}
