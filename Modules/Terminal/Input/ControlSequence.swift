/// A control sequence (ECMA-48 5.4): `CSI`, a private mark, parameters, intermediate bytes, and a final byte.
struct ControlSequence {
  /// The private mark `?`, `<`, `>` or `=`; 0 if there is none.
  private let prefix: UInt8
  /// The parameters with their subparameters after colons; -1 for an omitted one.
  private let parameters: [[Int]]
  private let intermediate: UInt8
  private let final: UInt8

  /// The largest number of parameters, more than any known sequence has.
  private static let parameterLimit = 32

  /// Parses the bytes of a sequence; nil if they are malformed.
  init?(_ bytes: [UInt8], final: UInt8) {
    var mark: UInt8 = 0
    var intermediate: UInt8 = 0
    var parameters: [[Int]] = []
    var parts: [Int] = [-1]
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case 0x30...0x39:
        let digit = Int(byte) - 0x30
        let value = max(0, parts[parts.count - 1])
        parts[parts.count - 1] = min(value * 10 + digit, 0x7fff_ffff)
      case 0x3a: if parts.count < Self.parameterLimit { parts.append(-1) }
      case 0x3b:
        if parameters.count < Self.parameterLimit { parameters.append(parts) }
        parts = [-1]
      case 0x3c...0x3f where index == 0: mark = byte
      case 0x5b where index == 0: mark = byte
      case 0x20...0x2f: intermediate = byte
      default: return nil
      }
    }
    parameters.append(parts)
    self.prefix = mark
    self.intermediate = intermediate
    self.parameters = parameters
    self.final = final
  }

  private func number(_ index: Int, part: Int = 0, default missing: Int = 0) -> Int {
    guard index < parameters.count, part < parameters[index].count else { return missing }
    let value = parameters[index][part]
    return value < 0 ? missing : value
  }

  var isPasteStart: Bool { prefix == 0 && final == 0x7e && number(0) == 200 }

  // MARK: - Answers

  var reply: TerminalReply? {
    switch (prefix, intermediate, final) {
    case (0x3f, 0, 0x63): .attributes(parameters.indices.map { number($0) })
    case (0x3f, 0x24, 0x79): .mode(number(0), number(1))
    case (0x3f, 0, 0x53) where number(0) == 2 && number(1, default: -1) == 0:
      .sixelLimit(PixelSize(number(2), number(3)))
    case (0x3f, 0, 0x75): .keyboardFlags(number(0))
    case (0, 0, 0x74) where number(0) == 6:
      .cellPixels(PixelSize(min(number(2), 1000), min(number(1), 1000)))
    default: nil
    }
  }

  // MARK: - Events

  func event(alt: Bool, _ buttons: inout MouseReport.Buttons) -> InputEvent? {
    guard intermediate == 0 else { return nil }
    switch (prefix, final) {
    case (0x3c, 0x4d), (0x3c, 0x6d):
      return MouseReport.event(
        code: number(0), column: number(1), row: number(2), isRelease: final == 0x6d, &buttons
      ).map { .mouse($0) }
    case (0x5b, 0x41...0x45): return .key(KeyEvent(.function(Int(final) - 0x40)))
    case (0, 0x49): return .focus(true)
    case (0, 0x4f): return .focus(false)
    case (0, _): return keyEvent(alt: alt).map { .key($0) }
    default: return nil
    }
  }

  private func keyEvent(alt: Bool) -> KeyEvent? {
    var modifiers = Self.modifiers(number(1, default: 1))
    if alt { modifiers.insert(.alt) }
    let kind: KeyEvent.Kind =
      switch number(1, part: 1, default: 1) {
      case 2: .repeat
      case 3: .release
      default: .press
      }
    switch final {
    case 0x5a: return KeyEvent(.tab, modifiers.union(.shift), kind: kind)
    case 0x50...0x53: return KeyEvent(.function(Int(final) - 0x4f), modifiers, kind: kind)
    case 0x7e where number(0) == 27:
      // xterm's modifyOtherKeys: CSI 27 ; modifiers ; scalar ~
      return written(number(2), modifiers, kind)
    case 0x7e: return FunctionKeys.numbered(number(0)).map { KeyEvent($0, modifiers, kind: kind) }
    case 0x75: return written(number(0), modifiers, kind)
    default: return FunctionKeys.arrow(final).map { KeyEvent($0, modifiers, kind: kind) }
    }
  }

  /// Returns the event of a key that is identified by its unshifted scalar; a subparameter may hold the
  /// shifted scalar.
  private func written(_ scalar: Int, _ modifiers: Modifiers, _ kind: KeyEvent.Kind) -> KeyEvent? {
    guard let key = FunctionKeys.unicode(scalar) else { return nil }
    guard modifiers.contains(.shift), case .character(let plain) = key else {
      return KeyEvent(key, modifiers, kind: kind)
    }
    var shifted = Character(plain.uppercased().count == 1 ? plain.uppercased() : String(plain))
    let other = final == 0x75 ? number(0, part: 1) : 0
    if other >= 0x20, case .character(let known)? = FunctionKeys.unicode(other) { shifted = known }
    guard shifted != plain else { return KeyEvent(key, modifiers, kind: kind) }
    return KeyEvent(.character(shifted), modifiers.subtracting(.shift), kind: kind)
  }

  private static func modifiers(_ parameter: Int) -> Modifiers {
    let bits = max(0, parameter - 1)
    var result = Modifiers(rawValue: UInt8(truncatingIfNeeded: bits & 0xf))
    // kitty's meta is treated as Alt; hyper, Caps Lock and Num Lock are ignored.
    if bits & 0x20 != 0 { result.insert(.alt) }
    return result
  }
}
