/// The 256 colours of xterm, and the search for the nearest colour among them.
enum Palette {
  /// The first sixteen colours with xterm's defaults; a user's configuration of them is unknown.
  static let first16: [(red: UInt8, green: UInt8, blue: UInt8)] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0),
    (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0),
    (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
  ]

  static func components(_ index: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8) {
    switch index {
    case 0..<16: return first16[Int(index)]
    case 232...255:
      let grey = 8 &+ (index &- 232) &* 10
      return (grey, grey, grey)
    default:
      let value = index &- 16
      return (level(value / 36), level(value / 6 % 6), level(value % 6))
    }
  }

  /// Returns the channel value of a step of the colour cube: 0, 95, 135, 175, 215 or 255.
  private static func level(_ step: UInt8) -> UInt8 { step == 0 ? 0 : 55 &+ step &* 40 }

  private static func step(_ value: Int) -> Int {
    value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40
  }

  /// Returns the index of the nearest colour in 16...255, which all terminals show alike.
  static func nearest256(_ red: Int, _ green: Int, _ blue: Int) -> UInt8 {
    let steps = (step(red), step(green), step(blue))
    let cube = UInt8(clamping: 16 + 36 * steps.0 + 6 * steps.1 + steps.2)
    let average = (red + green + blue) / 3
    let grey = UInt8(clamping: 232 + max(0, min(23, (average - 3) / 10)))
    let wanted = (red, green, blue)
    return distance(components(grey), wanted) < distance(components(cube), wanted) ? grey : cube
  }

  static func nearest16(_ red: Int, _ green: Int, _ blue: Int) -> UInt8 {
    var best = (index: UInt8(0), distance: Int.max)
    for index in UInt8(0)..<16 {
      let candidate = distance(first16[Int(index)], (red, green, blue))
      if candidate < best.distance { best = (index, candidate) }
    }
    return best.index
  }

  /// Returns the squared distance of two colours, with weights for the eye's sensitivity to red, green and
  /// blue.
  private static func distance(
    _ left: (red: UInt8, green: UInt8, blue: UInt8), _ right: (Int, Int, Int)
  ) -> Int {
    let red = Int(left.red) - right.0
    let green = Int(left.green) - right.1
    let blue = Int(left.blue) - right.2
    return 3 * red * red + 6 * green * green + blue * blue
  }
}
