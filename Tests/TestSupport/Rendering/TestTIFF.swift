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
  /// - Parameters:
  ///   - pages: the sizes, with the pixels from the top left.
  ///   - areReduced: whether the pages after the first one are marked as reduced versions of it.
  public static func pages(
    _ pages: [(width: Int, height: Int, pixels: [UInt8])], areReduced: Bool = false
  ) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var file: [UInt8] = Array("II".utf8) + number(42, 2) + number(8, 4)
    for (index, page) in pages.enumerated() {
      let data = file.count + 2 + 10 * 12 + 4
      let fields = [
        (254, areReduced && index > 0 ? 1 : 0), (256, page.width), (257, page.height), (258, 8),
        (259, 1), (262, 1), (273, data), (277, 1),
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

extension TestTIFF {
  /// How the pixels of a page are divided.
  public enum Division: Sendable {
    /// Rows of a strip.
    case strips(Int)
    /// Pixels on a side of a tile, a multiple of 16.
    case tiles(Int)
  }

  /// A grey page of one tone behind its directory, each strip or tile run-length coded (PackBits, TIFF 6.0,
  /// section 9) or plain.
  /// - Parameter damaged: the number of a strip or tile that is coded, the data of which ends too early.
  public static func divided(
    width: Int, height: Int, tone: UInt8, _ division: Division, isCoded: Bool, damaged: Int? = nil
  ) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let (isTiled, chunkWidth, chunkHeight) =
      switch division {
      case .strips(let rows): (false, width, rows)
      case .tiles(let side): (true, side, side)
      }
    let down = (height + chunkHeight - 1) / chunkHeight
    let count = down * ((width + chunkWidth - 1) / chunkWidth)
    let chunks = (0..<count).map { index -> [UInt8] in
      let rows = isTiled ? chunkHeight : min(chunkHeight, height - index * chunkHeight)
      guard isCoded else { return Array(repeating: tone, count: chunkWidth * rows) }
      // Runs of at most 128 bytes, none of which goes beyond its row.
      let row = stride(from: 0, to: chunkWidth, by: 128).flatMap { start -> [UInt8] in
        [UInt8(truncatingIfNeeded: 1 - min(128, chunkWidth - start)), tone]
      }
      return index == damaged ? row : (0..<rows).flatMap { _ in row }
    }
    let entryCount = isTiled ? 11 : 10
    let lists = 8 + 2 + entryCount * 12 + 4
    let data = lists + 2 * count * 4
    let offsets = chunks.indices.map { data + chunks[..<$0].reduce(0) { $0 + $1.count } }
    let common = [
      (256, 1, width), (257, 1, height), (258, 1, 8), (259, 1, isCoded ? 32_773 : 1), (262, 1, 1),
    ]
    let place = count == 1 ? offsets[0] : lists
    let size = count == 1 ? chunks[0].count : lists + count * 4
    let fields: [(tag: Int, count: Int, value: Int)] =
      isTiled
      ? common + [
        (277, 1, 1), (284, 1, 1), (322, 1, chunkWidth), (323, 1, chunkHeight),
        (324, count, place), (325, count, size),
      ]
      : common + [
        (273, count, place), (277, 1, 1), (278, 1, chunkHeight), (279, count, size), (284, 1, 1),
      ]
    var file: [UInt8] = Array("II".utf8) + number(42, 2) + number(8, 4) + number(fields.count, 2)
    for field in fields {
      // LONG.
      file += number(field.tag, 2) + number(4, 2) + number(field.count, 4) + number(field.value, 4)
    }
    file += number(0, 4)
    for list in [offsets, chunks.map(\.count)] { file += list.flatMap { number($0, 4) } }
    return file + chunks.flatMap { $0 }
  }
}

extension TestTIFF {
  /// An uncompressed page with any fields: a single strip, or one of each component.
  /// - Parameters:
  ///   - fields: the values by their tags, but for the size of the page and the places of the strips.
  ///   - texts: further fields, of text.
  ///   - strips: the samples, little endian.
  public static func page(
    width: Int, height: Int, _ fields: [Int: [Int]], texts: [Int: String] = [:], strips: [[UInt8]]
  ) -> [UInt8] {
    var file = Assembly()
    let places = strips.map { file.add($0) }
    let own = [
      256: [width], 257: [height], 259: [1], 273: places, 278: [height], 279: strips.map(\.count),
    ]
    let first = file.directory(fields.merging(own) { own, _ in own }, texts: texts)
    return file.finished(first: first)
  }

  /// A file that is put together from data and directories, each of which is behind what it leads to.
  public struct Assembly {
    private var bytes: [UInt8] = Array("II".utf8) + [42, 0, 0, 0, 0, 0]

    public init() {}

    private static func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Appends data, and returns its offset.
    public mutating func add(_ data: [UInt8]) -> Int {
      if bytes.count % 2 == 1 { bytes.append(0) }
      bytes += data
      return bytes.count - data.count
    }

    /// Appends a directory, and returns its offset.
    /// - Parameters:
    ///   - fields: numbers below 65,536 as SHORT, lists with larger ones and offsets as LONG.
    ///   - next: the offset of the next directory.
    public mutating func directory(
      _ fields: [Int: [Int]], texts: [Int: String] = [:], next: Int = 0
    ) -> Int {
      let offsets: Set = [273, 279, 330, 513]
      var entries: [(tag: Int, type: Int, count: Int, data: [UInt8])] = fields.map { tag, values in
        let isLong = offsets.contains(tag) || values.contains { $0 >= 1 << 16 }
        let data = values.flatMap { Self.number($0, isLong ? 4 : 2) }
        return (tag, isLong ? 4 : 3, values.count, data)
      }
      for (tag, text) in texts {
        entries.append((tag, 2, text.utf8.count + 1, Array(text.utf8) + [0]))
      }
      entries.sort { $0.tag < $1.tag }
      var directory = Self.number(entries.count, 2)
      for entry in entries {
        let value = entry.data.count > 4 ? Self.number(add(entry.data), 4) : entry.data
        directory += Self.number(entry.tag, 2) + Self.number(entry.type, 2)
        directory += Self.number(entry.count, 4)
        directory += value + [UInt8](repeating: 0, count: 4 - value.count)
      }
      return add(directory + Self.number(next, 4))
    }

    public func finished(first: Int) -> [UInt8] {
      Array(bytes[..<4]) + Self.number(first, 4) + bytes[8...]
    }
  }
}
