/// The decoding of keys in the sequences of xterm, the Linux console, rxvt and kitty.
enum FunctionKeys {
  /// Returns the key of `SS3 byte`.
  static func single(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x4d: .enter
    case 0x50...0x53: .function(Int(byte) - 0x4f)
    default: arrow(byte)
    }
  }

  /// Returns the key of `CSI … byte`.
  static func arrow(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x41: .up
    case 0x42: .down
    case 0x43: .right
    case 0x44: .left
    case 0x46: .end
    case 0x48: .home
    default: nil
    }
  }

  /// Returns the key of `CSI number ~`.
  static func numbered(_ number: Int) -> Key? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23...26: .function(number - 12)
    case 28, 29: .function(number - 13)
    case 31...34: .function(number - 14)
    default: nil
    }
  }

  /// Returns the key of kitty's `CSI number u`, where the number is a scalar, or in the private use area for
  /// keys that produce no text; nil for modifiers and other unsupported keys.
  static func unicode(_ number: Int) -> Key? {
    switch number {
    case 9: return .tab
    case 13, 57414: return .enter
    case 27: return .escape
    case 127: return .backspace
    case 57376...57398: return .function(number - 57363)
    case 57399...57408: return .character(Character(Unicode.Scalar(UInt8(number - 57351))))
    case 57409: return .character(".")
    case 57410: return .character("/")
    case 57411: return .character("*")
    case 57412: return .character("-")
    case 57413: return .character("+")
    case 57415: return .character("=")
    case 57417: return .left
    case 57418: return .right
    case 57419: return .up
    case 57420: return .down
    case 57421: return .pageUp
    case 57422: return .pageDown
    case 57423: return .home
    case 57424: return .end
    case 57425: return .insert
    case 57426: return .delete
    case 57344...63743: return nil
    default:
      guard number >= 0x20, let value = UInt32(exactly: number), let scalar = Unicode.Scalar(value)
      else { return nil }
      return .character(Character(scalar))
    }
  }
}
