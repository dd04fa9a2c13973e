/// JPEG files whose colours are known to the last bit: squares of 8 × 8 pixels, each of one colour,
/// with any number of components and any marker that says what they mean (ITU-T T.81).
public enum TestJPEG {
  /// What the components are, as Adobe's marker says (T.872, section 6.5.3). Adobe's programs store
  /// inks upside down: 255 is none.
  public enum Transform: UInt8, Sendable {
    /// As they are: red, green, blue, or four inks.
    case none = 0
    case yCbCr = 1
    /// Three inks as luminance and colour difference, and black.
    case ycck = 2
  }

  /// - Parameters:
  ///   - squares: from left to right; each has a value for every component.
  ///   - transform: nil: no marker of Adobe's.
  ///   - profile: an ICC profile of at most 65,519 bytes.
  public static func squares(
    _ squares: [[UInt8]], transform: Transform? = nil, profile: [UInt8] = []
  ) -> [UInt8] {
    let components = UInt8(squares.first?.count ?? 1)
    var file: [UInt8] = [0xff, 0xd8]
    if let transform {
      file += segment(0xee, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform.rawValue])
    }
    if !profile.isEmpty { file += segment(0xe2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile) }
    // Every coefficient counts as it is.
    file += segment(0xdb, [0] + [UInt8](repeating: 1, count: 64))
    let each = (1...components).flatMap { number -> [UInt8] in [number, 0x11, 0] }
    file += segment(0xc0, [8, 0, 8, 0, UInt8(squares.count * 8), components] + each)
    // Twelve sizes of a difference, four bits each; one code of one bit for "no more coefficients".
    file += segment(0xc4, [0x00] + counts([4: 12]) + Array(0...11))
    file += segment(0xc4, [0x10] + counts([1: 1]) + [0])
    let scan = (1...components).flatMap { number -> [UInt8] in [number, 0x00] }
    file += segment(0xda, [components] + scan + [0, 63, 0])
    return file + entropyCoded(squares) + [0xff, 0xd9]
  }

  private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    let length = body.count + 2
    return [0xff, marker, UInt8(length >> 8), UInt8(length & 255)] + body
  }

  /// How many codes there are of each length from 1 to 16.
  private static func counts(_ codes: [Int: UInt8]) -> [UInt8] { (1...16).map { codes[$0] ?? 0 } }

  private static func entropyCoded(_ squares: [[UInt8]]) -> [UInt8] {
    var bits: [Bool] = []
    func put(_ value: Int, _ count: Int) {
      for bit in stride(from: count - 1, through: 0, by: -1) { bits.append(value >> bit & 1 == 1) }
    }
    var before = [Int](repeating: 0, count: squares.first?.count ?? 0)
    for square in squares {
      for (component, value) in square.enumerated() {
        // The mean of a square, times eight.
        let coefficient = (Int(value) - 128) * 8
        let difference = coefficient - before[component]
        before[component] = coefficient
        let size = Int.bitWidth - difference.magnitude.leadingZeroBitCount
        put(size, 4)
        put(difference > 0 ? difference : difference + (1 << size) - 1, size)
        put(0, 1)
      }
    }
    while bits.count % 8 != 0 { bits.append(true) }
    return stride(from: 0, to: bits.count, by: 8).flatMap { start -> [UInt8] in
      let byte = bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
      return byte == 0xff ? [0xff, 0] : [byte]
    }
  }
}
