import Glibc
public import Models

extension ThumbHash {
  /// The longest side in pixels that is worth encoding: the hash has at most seven frequencies of an axis, for which
  /// four samples each are more than enough.
  public static let longestSide = 32

  /// Creates the hash of an image.
  /// - Complexity: O(*n*), where *n* is the number of pixels. Callers first scale the image to `longestSide`.
  public init?(_ image: PixelRendition) {
    let planes = ThumbHashPlanes(image)
    let hasAlpha = planes.hasAlpha
    let (width, height) = (image.width, image.height)
    let longer = Self.longerSide(hasAlpha: hasAlpha)
    func frequencies(_ side: Int) -> Int {
      max(1, Int((Double(longer * side) / Double(max(width, height))).rounded()))
    }
    let (columns, rows) = (frequencies(width), frequencies(height))
    let shape = CosineTransform(width: width, height: height)
    let lightness = shape.frequencies(
      of: planes.lightness, Self.lightness(columns: columns, rows: rows))
    let yellow = shape.frequencies(of: planes.yellow, .colour)
    let red = shape.frequencies(of: planes.red, .colour)
    let alpha = hasAlpha ? shape.frequencies(of: planes.alpha, .alpha) : nil

    let isLandscape = width > height
    var header = BitWriter()
    header.append(lightness.mean * 63, bits: 6)
    header.append(31.5 + 31.5 * yellow.mean, bits: 6)
    header.append(31.5 + 31.5 * red.mean, bits: 6)
    header.append(lightness.scale * 31, bits: 5)
    header.append(hasAlpha ? 1 : 0, bits: 1)
    header.append(Double(isLandscape ? rows : columns), bits: 3)
    header.append(yellow.scale * 63, bits: 6)
    header.append(red.scale * 63, bits: 6)
    header.append(isLandscape ? 1 : 0, bits: 1)
    if let alpha {
      header.append(alpha.mean * 15, bits: 4)
      header.append(alpha.scale * 15, bits: 4)
    }
    for channel in [lightness, yellow, red, alpha].compactMap({ $0 }) {
      for value in channel.values { header.append(15 * value, bits: 4) }
    }
    self.init(header.bytes)
  }
}

/// The channels of an image, from 0 to 1. Transparent parts have the mean colour.
private struct ThumbHashPlanes {
  /// The mean of red, green and blue.
  var lightness: [Double] = []
  /// Yellow minus blue, from -1 to 1.
  var yellow: [Double] = []
  /// Red minus green, from -1 to 1.
  var red: [Double] = []
  var alpha: [Double] = []
  var hasAlpha = false

  init(_ image: PixelRendition) {
    let count = image.width * image.height
    let mean = Self.meanColour(image)
    hasAlpha = mean.alpha < Double(count)
    for offset in stride(from: image.pixels.startIndex, to: image.pixels.endIndex, by: 4) {
      let opacity = Double(image.pixels[offset + 3]) / 255
      func component(_ index: Int, _ mean: Double) -> Double {
        mean * (1 - opacity) + opacity / 255 * Double(image.pixels[offset + index])
      }
      let (r, g, b) = (component(2, mean.red), component(1, mean.green), component(0, mean.blue))
      lightness.append((r + g + b) / 3)
      yellow.append((r + g) / 2 - b)
      red.append(r - g)
      alpha.append(opacity)
    }
  }

  /// Returns the mean colour, weighted by opacity, and the sum of the opacities.
  private static func meanColour(
    _ image: PixelRendition
  ) -> (red: Double, green: Double, blue: Double, alpha: Double) {
    var (red, green, blue, alpha) = (0.0, 0.0, 0.0, 0.0)
    for offset in stride(from: image.pixels.startIndex, to: image.pixels.endIndex, by: 4) {
      let opacity = Double(image.pixels[offset + 3]) / 255
      red += opacity / 255 * Double(image.pixels[offset + 2])
      green += opacity / 255 * Double(image.pixels[offset + 1])
      blue += opacity / 255 * Double(image.pixels[offset])
      alpha += opacity
    }
    guard alpha > 0 else { return (0, 0, 0, 0) }
    return (red / alpha, green / alpha, blue / alpha, alpha)
  }
}

/// The cosine transform (DCT-II) of a channel, axis by axis.
private struct CosineTransform {
  let width: Int
  let height: Int

  struct Frequencies {
    var mean = 0.0
    /// The largest absolute value of a frequency.
    var scale = 0.0
    /// The frequencies as fractions of the scale, mapped from -1...1 to 0...1.
    var values: [Double] = []
  }

  func frequencies(of plane: [Double], _ channel: ThumbHash.Channel) -> Frequencies {
    let horizontal = Self.cosines(channel.columns, over: width)
    let vertical = Self.cosines(channel.rows, over: height)
    // The transform of each row of pixels, one column of frequencies after the other.
    var sums = [Double](repeating: 0, count: channel.columns * height)
    for column in 0..<channel.columns {
      for y in 0..<height {
        var sum = 0.0
        for x in 0..<width { sum += plane[y * width + x] * horizontal[column * width + x] }
        sums[column * height + y] = sum
      }
    }
    var result = Frequencies()
    for row in 0..<channel.rows {
      for column in 0..<channel.columns(inRow: row) {
        var value = 0.0
        for y in 0..<height { value += sums[column * height + y] * vertical[row * height + y] }
        value /= Double(width * height)
        if row == 0, column == 0 {
          result.mean = value
        } else {
          result.values.append(value)
          result.scale = max(result.scale, abs(value))
        }
      }
    }
    if result.scale > 0 {
      for index in result.values.indices {
        result.values[index] = 0.5 + 0.5 / result.scale * result.values[index]
      }
    }
    return result
  }

  /// Returns `count` cosines of rising frequency, each sampled at the middle of `length` pixels.
  private static func cosines(_ count: Int, over length: Int) -> [Double] {
    (0..<count).flatMap { frequency in
      (0..<length).map { cos(Double.pi / Double(length) * Double(frequency) * (Double($0) + 0.5)) }
    }
  }
}

/// Writes numbers of few bits, the lowest bits first.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var count = 0

  mutating func append(_ value: Double, bits: Int) {
    let number = min(max(0, Int(value.rounded())), 1 << bits - 1)
    for bit in 0..<bits {
      if count % 8 == 0 { bytes.append(0) }
      if number >> bit & 1 != 0 { bytes[count / 8] |= 1 << UInt8(count % 8) }
      count += 1
    }
  }
}
