import Glibc
public import Models

extension ThumbHash {
  /// The ratio of width to height, with the precision that the hash stores.
  public var aspectRatio: Double {
    let longer = Double(Self.longerSide(hasAlpha: hasAlpha))
    let shorter = Double(max(1, bytes[3] & 7))
    return isLandscape ? longer / shorter : shorter / longer
  }

  /// Decodes the image.
  /// - Returns: The size, and four bytes for each pixel: red, green, blue and straight alpha. The longer side
  ///   has `side` pixels.
  public func pixels(side: Int = 32) -> (width: Int, height: Int, bytes: [UInt8]) {
    let ratio = aspectRatio
    let width = max(1, Int((ratio > 1 ? Double(side) : Double(side) * ratio).rounded()))
    let height = max(1, Int((ratio > 1 ? Double(side) / ratio : Double(side)).rounded()))
    let planes = planes(width: width, height: height)
    var output: [UInt8] = []
    output.reserveCapacity(width * height * 4)
    for index in 0..<(width * height) {
      let (lightness, yellow, redness) = (planes[0][index], planes[1][index], planes[2][index])
      let blue = lightness - 2 / 3 * yellow
      let red = (3 * lightness - blue + redness) / 2
      let alpha = hasAlpha ? planes[3][index] : 1
      for component in [red, red - redness, blue, alpha] {
        output.append(UInt8(max(0, 255 * min(1, component))))
      }
    }
    return (width, height, output)
  }

  /// Returns the values of each channel at the pixels of an image of the given size.
  private func planes(width: Int, height: Int) -> [[Double]] {
    let header =
      UInt64(bytes[0]) | UInt64(bytes[1]) << 8 | UInt64(bytes[2]) << 16
      | UInt64(bytes[3]) << 24 | UInt64(bytes[4]) << 32
    func number(_ shift: UInt64, bits: UInt64) -> Double {
      Double(header >> shift & (1 << bits - 1)) / Double(1 << bits - 1)
    }
    var means = [number(0, bits: 6), number(6, bits: 6) * 2 - 1, number(12, bits: 6) * 2 - 1]
    // The colours are amplified to compensate for the frequencies that the hash does not store.
    var scales = [
      number(18, bits: 5), number(27, bits: 6) * 1.25, number(33, bits: 6) * 1.25,
    ]
    if hasAlpha {
      means.append(Double(bytes[5] & 15) / 15)
      scales.append(Double(bytes[5] >> 4) / 15)
    }
    var place = 0
    return channels.enumerated().map { index, channel in
      // `plane` doubles every frequency, so the mean is halved here.
      var values = [means[index] / 2]
      for _ in 0..<channel.frequencyCount {
        let byte = bytes[frequencyOffset + place / 2]
        let level = Double(place % 2 == 0 ? byte & 15 : byte >> 4)
        values.append((level / 7.5 - 1) * scales[index])
        place += 1
      }
      return Self.plane(values, channel, width: width, height: height)
    }
  }

  /// Returns the inverse cosine transform of a channel, computed along the vertical axis first.
  private static func plane(
    _ values: [Double], _ channel: Channel, width: Int, height: Int
  ) -> [Double] {
    var plane = [Double](repeating: 0, count: width * height)
    for y in 0..<height {
      var sums = [Double](repeating: 0, count: channel.columns)
      var index = 0
      for row in 0..<channel.rows {
        let weight = 2 * cosine(row, y, height)
        for column in 0..<channel.columns(inRow: row) {
          sums[column] += values[index] * weight
          index += 1
        }
      }
      for x in 0..<width {
        var value = 0.0
        for column in 0..<channel.columns { value += sums[column] * cosine(column, x, width) }
        plane[y * width + x] = value
      }
    }
    return plane
  }

  /// Returns the value of a frequency at the middle of a pixel.
  private static func cosine(_ frequency: Int, _ pixel: Int, _ length: Int) -> Double {
    cos(Double.pi / Double(length) * Double(frequency) * (Double(pixel) + 0.5))
  }
}
