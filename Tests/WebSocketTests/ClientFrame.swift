/// Writes frames as a client sends them, valid or not.
struct ClientFrame {
  var first: UInt8
  var payload: [UInt8] = []
  var mask: [UInt8]? = [0x37, 0xfa, 0x21, 0x3d]
  /// The second byte without its mask bit, and the extended length; nil for the shortest form.
  var length: [UInt8]?

  static func text(_ text: String, isFinal: Bool = true) -> ClientFrame {
    ClientFrame(first: isFinal ? 0x81 : 0x01, payload: Array(text.utf8))
  }

  static func continuation(_ text: String, isFinal: Bool = true) -> ClientFrame {
    ClientFrame(first: isFinal ? 0x80 : 0x00, payload: Array(text.utf8))
  }

  static func close(_ code: UInt16? = nil, _ reason: [UInt8] = []) -> ClientFrame {
    let number = code.map { [UInt8($0 >> 8), UInt8($0 & 0xff)] } ?? []
    return ClientFrame(first: 0x88, payload: number + reason)
  }

  var bytes: [UInt8] {
    var length = length ?? Self.shortestLength(payload.count)
    if mask != nil { length[0] |= 0x80 }
    let masked = payload.enumerated().map { offset, byte in
      mask.map { byte ^ $0[offset & 3] } ?? byte
    }
    return [first] + length + (mask ?? []) + masked
  }

  private static func shortestLength(_ count: Int) -> [UInt8] {
    switch count {
    case ...125: [UInt8(count)]
    case ...0xffff: [126, UInt8(count >> 8), UInt8(count & 0xff)]
    default: [127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * (7 - $0))) }
    }
  }
}
