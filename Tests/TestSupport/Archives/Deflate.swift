/// A small deflate writer (RFC 1951): one block with the fixed codes; runs of one byte become
/// matches at distance 1, everything else literals. Enough to make honest archives and bombs.
public struct Deflate: Sendable {
  private var output: [UInt8] = []
  private var bits: UInt64 = 0
  private var bitCount: UInt64 = 0

  public static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var deflate = Deflate()
    deflate.put(0b011, 3)
    var index = 0
    while index < bytes.count {
      var run = 1
      while index + run < bytes.count, bytes[index + run] == bytes[index] { run += 1 }
      deflate.put(run: run, of: bytes[index])
      index += run
    }
    return deflate.finish()
  }

  /// The compressed form of `count` equal bytes, made without making them.
  public static func compress(repeating byte: UInt8, count: Int) -> [UInt8] {
    var deflate = Deflate()
    deflate.put(0b011, 3)
    deflate.put(run: count, of: byte)
    return deflate.finish()
  }

  private mutating func put(run: Int, of byte: UInt8) {
    guard run > 0 else { return }
    putSymbol(Int(byte))
    var rest = run - 1
    while rest >= 258 {
      // Length 258 is symbol 285 without extra bits; distance 1 is code 0 of five bits.
      putSymbol(285)
      put(0, 5)
      rest -= 258
    }
    for _ in 0..<rest { putSymbol(Int(byte)) }
  }

  /// The fixed literal and length codes, section 3.2.6.
  private mutating func putSymbol(_ symbol: Int) {
    switch symbol {
    case 0...143: putCode(0x30 + symbol, 8)
    case 144...255: putCode(0x190 + symbol - 144, 9)
    case 256...279: putCode(symbol - 256, 7)
    default: putCode(0xc0 + symbol - 280, 8)
    }
  }

  /// Huffman codes go from their highest bit.
  private mutating func putCode(_ code: Int, _ length: Int) {
    var reversed: UInt64 = 0
    for bit in 0..<length where code >> bit & 1 == 1 { reversed |= 1 << UInt64(length - 1 - bit) }
    put(reversed, UInt64(length))
  }

  private mutating func put(_ value: UInt64, _ count: UInt64) {
    bits |= value << bitCount
    bitCount += count
    while bitCount >= 8 {
      output.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }

  private mutating func finish() -> [UInt8] {
    putSymbol(256)
    if bitCount > 0 { output.append(UInt8(truncatingIfNeeded: bits)) }
    return output
  }
}
