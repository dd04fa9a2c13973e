/// The number of colours that a terminal shows.
public enum ColourDepth: Int, Sendable, Comparable, CaseIterable {
  /// No colours are used, as with `NO_COLOR`; only bold, underline and reverse remain.
  case none = 0
  case ansi16 = 16
  case palette256 = 256
  case trueColour = 16_777_216

  public static func < (left: ColourDepth, right: ColourDepth) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension Colour {
  /// Returns whether a terminal of the given depth can show this colour.
  func isShown(at depth: ColourDepth) -> Bool {
    switch bits >> 24 {
    case 0: true
    case 1: depth >= .palette256 || bits & 0xff < 16
    default: depth == .trueColour
    }
  }

  /// Returns the nearest colour that a terminal of the given depth can show; the default for depth `none`.
  public func reduced(to depth: ColourDepth) -> Colour {
    if isShown(at: depth) { return self }
    guard depth > .none, let (red, green, blue) = components else { return .default }
    return .palette(
      depth == .palette256
        ? Palette.nearest256(Int(red), Int(green), Int(blue))
        : Palette.nearest16(Int(red), Int(green), Int(blue)))
  }
}
