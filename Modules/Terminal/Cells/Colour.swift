/// A colour of a cell: the terminal's default, one of its palette, or an RGB value.
///
/// A colour that the terminal cannot show is reduced to the nearest one when it is written.
public struct Colour: Sendable, Hashable {
  /// The encoded colour: 0 for the default, else the kind in the highest byte (1 palette, 2 RGB) and the
  /// value below.
  let bits: UInt32

  init(bits: UInt32) { self.bits = bits }

  /// The terminal's default foreground or background.
  public static let `default` = Colour(bits: 0)

  public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Colour {
    Colour(bits: 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
  }

  /// Creates a colour from `0xRRGGBB`.
  public static func rgb(_ value: UInt32) -> Colour { Colour(bits: 2 << 24 | value & 0xff_ffff) }

  /// Creates a colour of the terminal's palette: 0-15 as configured by the user, 16-231 a cube of 6 × 6 × 6,
  /// 232-255 greys (xterm's ctlseqs).
  public static func palette(_ index: UInt8) -> Colour { Colour(bits: 1 << 24 | UInt32(index)) }

  public var isDefault: Bool { bits == 0 }

  /// The red, green and blue components; nil for the default, which only the terminal knows.
  public var components: (red: UInt8, green: UInt8, blue: UInt8)? {
    switch bits >> 24 {
    case 1: return Palette.components(UInt8(truncatingIfNeeded: bits))
    case 2:
      return (
        UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8),
        UInt8(truncatingIfNeeded: bits)
      )
    default: return nil
    }
  }

  /// Returns the colour at the fraction `share` (0...1) between this colour and `other`; this colour if
  /// either is the default.
  public func mixed(with other: Colour, _ share: Double) -> Colour {
    guard let from = components, let to = other.components else { return self }
    func mix(_ from: UInt8, _ to: UInt8) -> UInt8 {
      let value = Double(from) + (Double(to) - Double(from)) * min(1, max(0, share))
      return UInt8(max(0, min(255, value.rounded())))
    }
    return .rgb(mix(from.red, to.red), mix(from.green, to.green), mix(from.blue, to.blue))
  }
}
