import Models

/// The properties of the primary image of a HEIF or AVIF file (ISO/IEC 23008-12, 6.5; 14496-12, 8.11), if its box
/// `meta` is before the pixels and has at most 64 KiB.
struct HEIFHeader: HeaderParser {
  private static let headerLength = 8

  func parse(_ bytes: [UInt8]) -> HeaderStep {
    // A size of 1 stands for a size of 64 bits, 0 for the rest of the file.
    guard let size = bytes.number(at: 0, size: 4), size >= Self.headerLength,
      !bytes.has("mdat", at: 4)
    else { return .found(nil) }
    guard bytes.has("meta", at: 4) else { return .skip(size, then: Self.headerLength) }
    guard bytes.count >= size else { return .need(size) }
    return .found(HEIFProperties(meta: Array(bytes[..<size])).dimensions)
  }
}

/// The box `meta`. All positions are foreign numbers; a box that does not fit is ignored.
struct HEIFProperties {
  private let bytes: [UInt8]

  init(meta bytes: [UInt8]) { self.bytes = bytes }

  var dimensions: ImageDimensions? {
    // `meta` is a full box: its version and flags precede the boxes in it.
    guard bytes.count >= 12 else { return nil }
    let boxes = boxes(in: 12..<bytes.count)
    guard let primary = boxes.first(where: { isBox($0, "pitm") }).flatMap(primaryItem),
      let properties = boxes.first(where: { isBox($0, "iprp") }).map({ self.boxes(in: content($0)) }
      ),
      let container = properties.first(where: { isBox($0, "ipco") })
    else { return nil }
    let all = self.boxes(in: content(container))
    var found: ImageDimensions?
    var isTurned = false
    for table in properties where isBox(table, "ipma") {
      for index in associations(table, of: primary) where all.indices.contains(index - 1) {
        let property = all[index - 1]
        let start = property.lowerBound
        if isBox(property, "ispe"), let width = number(start + 12, 4, property),
          let height = number(start + 16, 4, property)
        {
          found = ImageDimensions(width: width, height: height)
        } else if isBox(property, "clap") {
          // A crop is given in fractions, which would have to be rounded as the decoder does it.
          return nil
        } else if isBox(property, "irot"), let angle = number(start + 8, 1, property) {
          isTurned = angle & 1 == 1
        }
      }
    }
    return isTurned ? found?.transposed : found
  }

  private func isBox(_ box: Range<Int>, _ type: StaticString) -> Bool {
    bytes.has(type, at: box.lowerBound + 4)
  }

  private func content(_ box: Range<Int>) -> Range<Int> { box.lowerBound + 8..<box.upperBound }

  /// Returns the boxes that fill the range, each with its header.
  private func boxes(in range: Range<Int>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = range.lowerBound
    while start + 8 <= range.upperBound, let size = bytes.number(at: start, size: 4), size >= 8,
      size <= range.upperBound - start
    {
      found.append(start..<start + size)
      start += size
    }
    return found
  }

  private func number(_ offset: Int, _ size: Int, _ box: Range<Int>) -> Int? {
    offset + size <= box.upperBound ? bytes.number(at: offset, size: size) : nil
  }

  private func primaryItem(_ box: Range<Int>) -> Int? {
    let start = box.lowerBound
    guard let version = number(start + 8, 1, box) else { return nil }
    return number(start + 12, version == 0 ? 2 : 4, box)
  }

  /// Returns the numbers of an item's properties, from 1.
  private func associations(_ box: Range<Int>, of item: Int) -> [Int] {
    let start = box.lowerBound
    guard let version = number(start + 8, 1, box), let flags = number(start + 9, 3, box),
      let count = number(start + 12, 4, box)
    else { return [] }
    let idLength = version < 1 ? 2 : 4
    let indexLength = flags & 1 == 1 ? 2 : 1
    var position = start + 16
    for _ in 0..<count {
      guard let id = number(position, idLength, box),
        let indices = number(position + idLength, 1, box)
      else { return [] }
      position += idLength + 1
      guard id == item else {
        position += indices * indexLength
        continue
      }
      // The highest bit says that a reader must understand the property.
      let mask = indexLength == 2 ? 0x7fff : 0x7f
      return (0..<indices).compactMap { index in
        number(position + index * indexLength, indexLength, box).map { $0 & mask }
      }
    }
    return []
  }
}
