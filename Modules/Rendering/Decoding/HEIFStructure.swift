/// The properties of the primary image of a HEIF or AVIF file that libheif does not report to libvips (ISO/IEC
/// 23008-12; 14496-12).
public struct HEIFStructure {
  /// Whether the colours are multiplied by alpha: the item reference `prem`.
  public private(set) var isPremultiplied = false
  /// Whether the image has only luminance, of the limited range of video, which libheif does not widen.
  public private(set) var isGreyOfLimitedRange = false

  private let file: ByteView

  /// Parses a file, which may be malformed: boxes that do not fit are ignored.
  public init(_ file: ByteView) {
    self.file = file
    guard let meta = boxes(0..<file.count).first(where: { isBox($0, "meta") }) else { return }
    // `meta` and most boxes in it begin with a version and flags.
    let parts = boxes(content(meta, skipping: 4))
    guard let primary = parts.first(where: { isBox($0, "pitm") }).flatMap(primaryItem) else {
      return
    }
    let references = parts.first { isBox($0, "iref") }
    isPremultiplied = references.map { !targets($0, "prem", of: primary).isEmpty } ?? false
    guard let properties = parts.first(where: { isBox($0, "iprp") }) else { return }
    // The tiles of a grid have the properties of the coded images.
    let tile = references.flatMap { targets($0, "dimg", of: primary).first }
    let own = self.properties(properties, of: primary)
    let coded = own + (tile.map { self.properties(properties, of: $0) } ?? [])
    isGreyOfLimitedRange = coded.contains(where: isGrey) && coded.contains(where: isLimited)
  }

  private func isBox(_ box: Range<Int>, _ type: StaticString) -> Bool {
    file.starts(with: type, at: box.lowerBound + 4)
  }

  private func content(_ box: Range<Int>, skipping count: Int = 0) -> Range<Int> {
    min(box.lowerBound + 8 + count, box.upperBound)..<box.upperBound
  }

  /// The maximum number of boxes in a box that are examined.
  private static let maximumCount = 10_000

  /// Returns the boxes that fill the range, each with its header.
  private func boxes(_ range: Range<Int>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = range.lowerBound
    while found.count < Self.maximumCount, start + 8 <= range.upperBound,
      let size = file.number(at: start, size: 4)
    {
      // The size 0 extends to the end, 1 is followed by a size of 64 bits, which only large data has.
      let length =
        size == 0
        ? range.upperBound - start
        : size == 1 ? file.number(at: start + 12, size: 4) ?? 0 : size
      guard length >= 8, length <= range.upperBound - start else { break }
      found.append(start..<(start + length))
      start += length
    }
    return found
  }

  private func primaryItem(_ box: Range<Int>) -> Int? {
    let start = box.lowerBound
    guard let version = file.byte(start + 8) else { return nil }
    return file.number(at: start + 12, size: version == 0 ? 2 : 4)
  }

  /// Returns the items to which an item has references of a type.
  private func targets(_ box: Range<Int>, _ type: StaticString, of item: Int) -> [Int] {
    let size = file.byte(box.lowerBound + 8) == 0 ? 2 : 4
    for reference in boxes(content(box, skipping: 4)) where isBox(reference, type) {
      let start = reference.lowerBound + 8
      guard file.number(at: start, size: size) == item,
        let count = file.number(at: start + size, size: 2)
      else { continue }
      return (0..<count).compactMap { file.number(at: start + size + 2 + $0 * size, size: size) }
    }
    return []
  }

  /// Returns the boxes of the properties of an item.
  private func properties(_ box: Range<Int>, of item: Int) -> [Range<Int>] {
    let parts = boxes(content(box))
    guard let container = parts.first(where: { isBox($0, "ipco") }) else { return [] }
    let all = boxes(content(container))
    return parts.filter { isBox($0, "ipma") }.flatMap { associations($0, of: item) }
      .compactMap { all.indices.contains($0 - 1) ? all[$0 - 1] : nil }
  }

  /// Returns the numbers of an item's properties, from 1.
  private func associations(_ box: Range<Int>, of item: Int) -> [Int] {
    let start = box.lowerBound
    guard let version = file.byte(start + 8), let flags = file.number(at: start + 9, size: 3),
      let count = file.number(at: start + 12, size: 4)
    else { return [] }
    let (idSize, indexSize) = (version < 1 ? 2 : 4, flags & 1 == 1 ? 2 : 1)
    var position = start + 16
    for _ in 0..<min(count, Self.maximumCount) {
      guard let id = file.number(at: position, size: idSize),
        let indices = file.byte(position + idSize)
      else { return [] }
      position += idSize + 1
      if id == item {
        // The highest bit says that a reader must understand the property.
        return (0..<Int(indices)).compactMap {
          file.number(at: position + $0 * indexSize, size: indexSize)
            .map { $0 & (indexSize == 2 ? 0x7fff : 0x7f) }
        }
      }
      position += Int(indices) * indexSize
    }
    return []
  }

  /// Whether a codec configuration is that of an image without colours (AV1 in ISOBMFF, 2.3.3; 14496-15, 8.3.3).
  private func isGrey(_ property: Range<Int>) -> Bool {
    let start = property.lowerBound + 8
    if isBox(property, "av1C") { return file.byte(start + 2).map { $0 & 0x10 != 0 } ?? false }
    return isBox(property, "hvcC") && file.byte(start + 16).map { $0 & 3 == 0 } ?? false
  }

  /// Whether a colour description states the limited range (ISO/IEC 14496-12, 12.1.5).
  private func isLimited(_ property: Range<Int>) -> Bool {
    isBox(property, "colr") && file.starts(with: "nclx", at: property.lowerBound + 8)
      && file.byte(property.lowerBound + 18).map { $0 & 0x80 == 0 } ?? false
  }
}
