/// TIFF files of one page in grey without compression, classic or with offsets of 64 bits (TIFF 6.0,
/// section 2; BigTIFF of the LibTIFF project).
public enum TestTIFF {
  /// - Parameter rowsPerStrip: the strips follow the directory, one behind the other.
  public static func grey(
    width: Int, height: Int, tone: UInt8, isBig: Bool = false, rowsPerStrip: Int = 4
  ) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let size = isBig ? 8 : 4
    let strips = (height + rowsPerStrip - 1) / rowsPerStrip
    let header: [UInt8] =
      Array("II".utf8) + (isBig ? number(43, 2) + number(8, 2) + number(0, 2) : number(42, 2))
    let start = header.count + size
    // Count, ten entries, the offset of the next directory; then the lists of strips.
    let lists = start + (isBig ? 8 : 2) + 9 * (4 + 2 * size) + size
    let data = lists + 2 * strips * 4
    let lengths = (0..<strips).map { min(rowsPerStrip, height - $0 * rowsPerStrip) * width }
    let offsets = lengths.indices.map { data + lengths[..<$0].reduce(0, +) }
    func value(_ numbers: [Int], at offset: Int) -> (count: Int, value: Int) {
      // A list that fits stands in the entry itself; of more than one number, none here does.
      numbers.count == 1 ? (1, numbers[0]) : (numbers.count, offset)
    }
    let fields: [(tag: Int, count: Int, value: Int)] = [
      (256, 1, width), (257, 1, height), (258, 1, 8), (259, 1, 1), (262, 1, 1),
      (273, value(offsets, at: lists).count, value(offsets, at: lists).value), (277, 1, 1),
      (278, 1, rowsPerStrip),
      (279, value(lengths, at: lists).count, value(lengths, at: lists + strips * 4).value),
    ]
    var file = header + number(start, size) + number(fields.count, isBig ? 8 : 2)
    for field in fields {
      // LONG.
      file += number(field.tag, 2) + number(4, 2)
      file += number(field.count, size) + number(field.value, size)
    }
    file += number(0, size)
    for list in [offsets, lengths] { file += list.flatMap { number($0, 4) } }
    return file + [UInt8](repeating: tone, count: width * height)
  }
}

extension TestTIFF {
  /// Uncompressed pages in grey, each in one strip.
  /// - Parameter pages: the sizes, with the pixels from the top left.
  public static func pages(_ pages: [(width: Int, height: Int, pixels: [UInt8])]) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var file: [UInt8] = Array("II".utf8) + number(42, 2) + number(8, 4)
    for (index, page) in pages.enumerated() {
      let data = file.count + 2 + 9 * 12 + 4
      let fields = [
        (256, page.width), (257, page.height), (258, 8), (259, 1), (262, 1), (273, data), (277, 1),
        (278, page.height), (279, page.pixels.count),
      ]
      file += number(fields.count, 2)
      for (tag, value) in fields {
        // LONG.
        file += number(tag, 2) + number(4, 2) + number(1, 4) + number(value, 4)
      }
      file += number(index + 1 < pages.count ? data + page.pixels.count : 0, 4) + page.pixels
    }
    return file
  }
}
