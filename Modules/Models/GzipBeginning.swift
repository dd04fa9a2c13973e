/// Decodes the first bytes of a gzip file (RFC 1951, RFC 1952), to recognise the format of what it contains.
///
/// Values have no libraries, and only some hundred bytes are decoded. Accepts any input: what cannot be decoded
/// ends the result.
enum GzipBeginning {
  /// The maximum number of decoded bytes.
  static let limit = 4 << 10

  static func contents(_ file: [UInt8]) -> [UInt8] {
    guard let start = endOfHeader(file) else { return [] }
    var decoder = DeflateDecoder(Array(file[start...]), limit: limit)
    decoder.decode()
    return decoder.output
  }

  /// Returns the offset of the compressed data (RFC 1952, section 2.3).
  private static func endOfHeader(_ file: [UInt8]) -> Int? {
    guard file.count > 18, file[2] == 8 else { return nil }
    let flags = file[3]
    var offset = 10
    if flags & 4 != 0 {
      guard offset + 2 <= file.count else { return nil }
      offset += 2 + Int(file[offset]) + Int(file[offset + 1]) << 8
    }
    // A name and a comment end with a zero byte.
    for flag: UInt8 in [8, 16] where flags & flag != 0 {
      guard offset < file.count, let end = file[offset...].firstIndex(of: 0) else { return nil }
      offset = end + 1
    }
    if flags & 2 != 0 { offset += 2 }
    return offset < file.count ? offset : nil
  }
}

/// A decoder of deflate for a few bytes; it favours brevity over speed.
private struct DeflateDecoder {
  private let input: [UInt8]
  private let limit: Int
  private var position = 0
  private(set) var output: [UInt8] = []

  init(_ input: [UInt8], limit: Int) {
    self.input = input
    self.limit = limit
  }

  /// Decodes blocks until the input ends, is invalid, or the limit is reached.
  mutating func decode() {
    while output.count < limit, let isLast = bits(1), let kind = bits(2) {
      let isDecoded =
        switch kind {
        case 0: copyStored()
        case 1: decodeBlock(Self.fixedLengths, Self.fixedDistances)
        case 2: decodeDynamic()
        default: false
        }
      if !isDecoded || isLast == 1 { return }
    }
  }

  private mutating func bits(_ count: Int) -> Int? {
    guard position + count <= input.count * 8 else { return nil }
    var value = 0
    for index in 0..<count {
      value |= Int(input[position >> 3] >> UInt8(position & 7) & 1) << index
      position += 1
    }
    return value
  }

  private mutating func copyStored() -> Bool {
    position = (position + 7) & ~7
    guard let count = bits(16), bits(16) != nil else { return false }
    let start = position >> 3
    let stored = input[start...].prefix(count)
    output += stored
    position += stored.count * 8
    return stored.count == count
  }

  /// A canonical Huffman code: the number of codes of each length, and the symbols in the order of their codes.
  private struct Code {
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    init(_ lengths: [Int]) {
      for length in lengths { counts[length] += 1 }
      counts[0] = 0
      for length in 1..<16 { symbols += lengths.indices.filter { lengths[$0] == length } }
    }
  }

  private static let fixedLengths = Code(
    [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112)
      + [Int](repeating: 7, count: 24) + [Int](repeating: 8, count: 8))
  private static let fixedDistances = Code([Int](repeating: 5, count: 30))

  private mutating func symbol(_ code: Code) -> Int? {
    var (value, first, index) = (0, 0, 0)
    for length in 1..<16 {
      guard let bit = bits(1) else { return nil }
      value |= bit
      let count = code.counts[length]
      if value - first < count { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    return nil
  }

  private mutating func decodeDynamic() -> Bool {
    guard let literals = bits(5), let distances = bits(5), let codes = bits(4) else { return false }
    var lengths = [Int](repeating: 0, count: 19)
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    for place in order.prefix(codes + 4) {
      guard let length = bits(3) else { return false }
      lengths[place] = length
    }
    let code = Code(lengths)
    let count = literals + 257 + distances + 1
    var all: [Int] = []
    while all.count < count {
      guard let symbol = symbol(code) else { return false }
      switch symbol {
      case 16:
        guard let last = all.last, let extra = bits(2) else { return false }
        all += [Int](repeating: last, count: 3 + extra)
      case 17:
        guard let extra = bits(3) else { return false }
        all += [Int](repeating: 0, count: 3 + extra)
      case 18:
        guard let extra = bits(7) else { return false }
        all += [Int](repeating: 0, count: 11 + extra)
      default: all.append(symbol)
      }
    }
    guard all.count == count else { return false }
    return decodeBlock(Code(Array(all[..<(literals + 257)])), Code(Array(all[(literals + 257)...])))
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537,
    2_049, 3_073, 4_097, 6_145, 8_193, 12_289, 16_385, 24_577,
  ]

  /// Decodes literals and copies up to the end of the block or the limit.
  private mutating func decodeBlock(_ lengths: Code, _ distances: Code) -> Bool {
    while output.count < limit {
      guard let symbol = symbol(lengths) else { return false }
      if symbol < 256 {
        output.append(UInt8(symbol))
        continue
      }
      if symbol == 256 { return true }
      guard Self.lengthBases.indices.contains(symbol - 257),
        let extra = bits(Self.lengthBits[symbol - 257]), let far = self.symbol(distances),
        Self.distanceBases.indices.contains(far), let more = bits(max(0, far / 2 - 1))
      else { return false }
      let distance = Self.distanceBases[far] + more
      guard distance <= output.count else { return false }
      for _ in 0..<(Self.lengthBases[symbol - 257] + extra) {
        output.append(output[output.count - distance])
      }
    }
    return true
  }
}
