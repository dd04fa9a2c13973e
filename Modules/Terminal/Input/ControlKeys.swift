/// Keys that arrive as one byte below 0x20, or as DEL.
enum ControlKeys {
  static func event(_ byte: UInt8) -> (key: Key, modifiers: Modifiers) {
    switch byte {
    case 0x00: (.character(" "), .control)
    case 0x08: (.backspace, .control)
    case 0x09: (.tab, [])
    case 0x0a, 0x0d: (.enter, [])
    case 0x1b: (.escape, [])
    case 0x7f: (.backspace, [])
    case 0x01...0x1a: (.character(Character(Unicode.Scalar(byte + 0x60))), .control)
    default: (.character(Character(Unicode.Scalar(byte | 0x40))), .control)
    }
  }
}
