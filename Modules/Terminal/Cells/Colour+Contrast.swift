import Glibc

/// The contrast of colours, as defined by the Web Content Accessibility Guidelines 2.1.
extension Colour {
  /// The relative luminance of the sRGB colour, 0 (black) to 1 (white); nil for the default, which only the
  /// terminal knows.
  public var relativeLuminance: Double? {
    components.map { red, green, blue in
      0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
    }
  }

  private static func linear(_ part: UInt8) -> Double {
    let value = Double(part) / 255
    return value <= 0.040_45 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  /// Returns the contrast ratio, 1 (none) to 21 (black on white); nil if either colour is the default.
  public func contrast(with other: Colour) -> Double? {
    guard let one = relativeLuminance, let two = other.relativeLuminance else { return nil }
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// Returns this colour or the nearest one towards white or black that has at least the contrast `ratio`
  /// with a background, after both are reduced to the colour depth.
  ///
  /// Up to a ratio of 4.5, such a colour exists for every background: if white has less contrast, black has
  /// more.
  public func readable(
    on background: Colour, atLeast ratio: Double, depth: ColourDepth = .trueColour
  ) -> Colour {
    let ground = background.reduced(to: depth)
    func isReadable(_ colour: Colour) -> Bool {
      (colour.reduced(to: depth).contrast(with: ground) ?? ratio) >= ratio
    }
    if isReadable(self) { return self }
    let isLighter = (relativeLuminance ?? 0) >= (ground.relativeLuminance ?? 0)
    let ends: [Colour] = isLighter ? [.rgb(0xff_ffff), .rgb(0)] : [.rgb(0), .rgb(0xff_ffff)]
    for end in ends where isReadable(end) {
      for step in 1..<32 {
        let mixed = mixed(with: end, Double(step) / 32)
        if isReadable(mixed) { return mixed }
      }
      return end
    }
    return self
  }
}
