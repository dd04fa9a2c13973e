import TestSupport

/// Changes messages as a broken or hostile program might.
enum Damage {
  /// Changes, removes, doubles or inserts a few bytes; structural ones more often than chance has it.
  static func apply(to original: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    let structural = Array("\r\n\0 :;,0fF/%?{}\"\t".utf8) + [0xff]
    var bytes = original
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let offset = Int.random(in: 0...bytes.count, using: &random)
      let byte = structural[Int.random(in: 0..<structural.count, using: &random)]
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.insert(byte, at: offset)
      case 1 where offset < bytes.count: bytes[offset] = byte
      case 2 where offset < bytes.count: bytes.remove(at: offset)
      case 3 where offset < bytes.count: bytes[offset] ^= UInt8.random(in: 1...255, using: &random)
      default:
        let end = min(bytes.count, offset + Int.random(in: 0...60, using: &random))
        bytes.insert(contentsOf: bytes[offset..<end], at: offset)
      }
    }
    return bytes
  }
}
