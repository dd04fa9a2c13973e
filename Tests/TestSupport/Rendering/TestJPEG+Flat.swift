extension TestJPEG {
  /// A grey picture of one tone, of any size, in some bytes for a thousand pixels: each square of 8 × 8
  /// pixels is two bits that are 0.
  public static func flat(width: Int, height: Int) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    var file: [UInt8] = [0xff, 0xd8]
    file += [0xff, 0xdb, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
    file += [0xff, 0xc0, 0, 11, 8] + number(height) + number(width) + [1, 1, 0x11, 0]
    // Each Huffman table has a single code of one bit: "same DC as the block before", "end of block".
    let lengths: [UInt8] = [1] + [UInt8](repeating: 0, count: 15)
    for table: UInt8 in [0x00, 0x10] { file += [0xff, 0xc4, 0, 20, table] + lengths + [0] }
    file += [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]
    let squares = ((width + 7) / 8) * ((height + 7) / 8)
    return file + [UInt8](repeating: 0, count: (squares * 2 + 7) / 8) + [0xff, 0xd9]
  }
}
