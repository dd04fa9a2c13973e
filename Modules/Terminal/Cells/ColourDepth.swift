/// How many colours a terminal shows.
public enum ColourDepth: Int, Sendable, Comparable, CaseIterable {
  /// None at all, as with `NO_COLOR`: bold, underline and reverse remain.
  case none = 0
  case ansi16 = 16
  case palette256 = 256
  case trueColour = 16_777_216

  public static func < (left: ColourDepth, right: ColourDepth) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension Colour {
  /// Whether a terminal with that many colours has this one.
  func isShown(at depth: ColourDepth) -> Bool {
    switch bits >> 24 {
    case 0: true
    case 1: depth >= .palette256 || bits & 0xff < 16
    default: depth == .trueColour
    }
  }

  /// The nearest colour that a terminal with that many colours shows; the default where it shows
  /// none.
  public func reduced(to depth: ColourDepth) -> Colour {
    if isShown(at: depth) { return self }
    guard depth > .none, let (red, green, blue) = components else { return .default }
    return .palette(
      depth == .palette256
        ? Palette.nearest256(Int(red), Int(green), Int(blue))
        : Palette.nearest16(Int(red), Int(green), Int(blue)))
  }
}
