import Glibc

/// The conversion from CIE L*a*b* to sRGB (IEC 61966-2-1), relative to the white point, as libvips does it.
enum LabColour {
  /// - Parameters:
  ///   - lightness: From 0 to 100.
  /// - Returns: Red, green and blue; colours that sRGB does not have are cut off.
  static func sRGB(_ lightness: Double, _ a: Double, _ b: Double) -> [UInt8] {
    let y = (lightness + 16) / 116
    func linear(_ value: Double) -> Double {
      value > 6.0 / 29 ? value * value * value : (value - 4.0 / 29) * 3 * (6.0 / 29) * (6.0 / 29)
    }
    // The white point is D65.
    let (x, luminance, z) = (
      0.950_47 * linear(y + a / 500), linear(y), 1.088_83 * linear(y - b / 200)
    )
    return [
      3.240_454_2 * x - 1.537_138_5 * luminance - 0.498_531_4 * z,
      -0.969_266 * x + 1.876_010_8 * luminance + 0.041_556 * z,
      0.055_643_4 * x - 0.204_025_9 * luminance + 1.057_225_2 * z,
    ].map { value in
      let share = min(max(value, 0), 1)
      let encoded = share <= 0.003_130_8 ? 12.92 * share : 1.055 * pow(share, 1 / 2.4) - 0.055
      return UInt8(min(max(encoded * 255 + 0.5, 0), 255))
    }
  }
}
