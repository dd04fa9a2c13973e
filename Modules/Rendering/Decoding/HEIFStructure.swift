/// The properties of the primary image of a HEIF or AVIF file that libheif does not report to libvips (ISO/IEC
/// 23008-12; 14496-12).
public struct HEIFStructure {
  /// Whether the colours are multiplied by alpha: the item reference `prem`.
  public private(set) var isPremultiplied = false
  /// Whether the image has only luminance, of the limited range of video, which libheif does not widen.
  public private(set) var isGreyOfLimitedRange = false

  /// The colours that the box `colr` states by numbers; nil without such a box.
  public private(set) var colourCode: ColourCode?

  /// Parses a file, which may be malformed: boxes that do not fit are ignored.
  public init(_ file: ByteView) {
    guard let meta = Meta(file) else { return }
    let (primary, references) = (meta.primary, meta.references)
    isPremultiplied = references.map { !Self.targets($0, "prem", of: primary).isEmpty } ?? false
    guard let properties = meta.properties else { return }
    // The tiles of a grid have the properties of the coded images.
    let tile = references.flatMap { Self.targets($0, "dimg", of: primary).first }
    let own = Self.properties(properties, of: primary)
    let coded = own + (tile.map { Self.properties(properties, of: $0) } ?? [])
    colourCode = coded.lazy.compactMap(Self.colourCode).first
    isGreyOfLimitedRange =
      coded.contains(where: Self.isGrey) && coded.contains(where: Self.isLimited)
  }

  /// The box `meta`: the number of the primary image, and the boxes about the images.
  private struct Meta {
    let primary: Int
    let references: ByteView?
    let properties: ByteView?

    init?(_ file: ByteView) {
      guard let meta = HEIFStructure.boxes(file).first(where: { $0.has(type: "meta") }) else {
        return nil
      }
      // `meta` and most boxes in it begin with a version and flags.
      let parts = HEIFStructure.boxes(meta.contents.slice(from: 4))
      func part(_ type: StaticString) -> ByteView? { parts.first { $0.has(type: type) }?.contents }
      guard let primary = part("pitm").flatMap(HEIFStructure.primaryItem) else { return nil }
      self.primary = primary
      references = part("iref")
      properties = part("iprp")
    }
  }

  /// The maximum number of boxes in a box that are examined.
  private static let maximumCount = 10_000

  /// Returns the complete boxes in the bytes.
  private static func boxes(_ bytes: ByteView) -> [ISOBox] {
    ISOBoxes(bytes).prefix(maximumCount).filter { !$0.isCut }
  }

  private static func primaryItem(_ box: ByteView) -> Int? {
    guard let version = box.byte(0) else { return nil }
    return box.number(at: 4, size: version == 0 ? 2 : 4)
  }

  /// Returns the items to which an item has references of a type.
  private static func targets(_ box: ByteView, _ type: StaticString, of item: Int) -> [Int] {
    let size = box.byte(0) == 0 ? 2 : 4
    for reference in boxes(box.slice(from: 4)) where reference.has(type: type) {
      let list = reference.contents
      guard list.number(at: 0, size: size) == item, let count = list.number(at: size, size: 2)
      else { continue }
      return (0..<count).compactMap { list.number(at: size + 2 + $0 * size, size: size) }
    }
    return []
  }

  /// Returns the boxes of the properties of an item.
  private static func properties(_ box: ByteView, of item: Int) -> [ISOBox] {
    let parts = boxes(box)
    guard let container = parts.first(where: { $0.has(type: "ipco") }) else { return [] }
    let all = boxes(container.contents)
    return parts.filter { $0.has(type: "ipma") }.flatMap { associations($0.contents, of: item) }
      .compactMap { all.indices.contains($0 - 1) ? all[$0 - 1] : nil }
  }

  /// Returns the numbers of an item's properties, from 1.
  private static func associations(_ box: ByteView, of item: Int) -> [Int] {
    guard let version = box.byte(0), let flags = box.number(at: 1, size: 3),
      let count = box.number(at: 4, size: 4)
    else { return [] }
    let (idSize, indexSize) = (version < 1 ? 2 : 4, flags & 1 == 1 ? 2 : 1)
    var position = 8
    for _ in 0..<min(count, maximumCount) {
      guard let id = box.number(at: position, size: idSize),
        let indices = box.byte(position + idSize)
      else { return [] }
      position += idSize + 1
      if id == item {
        // The highest bit says that a reader must understand the property.
        return (0..<Int(indices)).compactMap {
          box.number(at: position + $0 * indexSize, size: indexSize)
            .map { $0 & (indexSize == 2 ? 0x7fff : 0x7f) }
        }
      }
      position += Int(indices) * indexSize
    }
    return []
  }

  /// Returns the items that have references of a type to an item.
  private static func sources(_ box: ByteView, _ type: StaticString, to item: Int) -> [Int] {
    let size = box.byte(0) == 0 ? 2 : 4
    return boxes(box.slice(from: 4)).filter { $0.has(type: type) }
      .compactMap { $0.contents.number(at: 0, size: size) }
      .filter { targets(box, type, of: $0).contains(item) }
  }

  /// Whether a codec configuration is that of an image without colours (AV1 in ISOBMFF, 2.3.3; 14496-15, 8.3.3).
  private static func isGrey(_ property: ISOBox) -> Bool {
    if property.has(type: "av1C") {
      return property.contents.byte(2).map { $0 & 0x10 != 0 } ?? false
    }
    return property.has(type: "hvcC") && property.contents.byte(16).map { $0 & 3 == 0 } ?? false
  }

  private static func colourCode(_ property: ISOBox) -> ColourCode? {
    guard property.has(type: "colr"), property.contents.starts(with: "nclx"),
      let primaries = property.contents.number(at: 4, size: 2),
      let transfer = property.contents.number(at: 6, size: 2)
    else { return nil }
    return ColourCode(primaries: primaries, transfer: transfer)
  }

  /// Whether a colour description states the limited range (ISO/IEC 14496-12, 12.1.5).
  private static func isLimited(_ property: ISOBox) -> Bool {
    property.has(type: "colr") && property.contents.starts(with: "nclx")
      && property.contents.byte(10).map { $0 & 0x80 == 0 } ?? false
  }
}

extension HEIFStructure {
  /// Returns the file with the sizes of thumbnails corrected that state more pixels than the image has; nil if there are
  /// none. libheif refuses a file for the stated size of any image in it.
  public static func correctingThumbnails(_ file: ByteView) -> [UInt8]? {
    guard let meta = Meta(file), let references = meta.references, let boxes = meta.properties,
      let size = extents(boxes, of: meta.primary).first.flatMap(pixelCount)
    else { return nil }
    let wrong = sources(references, "thmb", to: meta.primary).flatMap { extents(boxes, of: $0) }
      .filter { pixelCount($0).map { $0 > size } ?? false }
    guard !wrong.isEmpty else { return nil }
    var corrected = file.array
    for box in wrong {
      guard let offset = file.offset(of: box.contents) else { continue }
      // One pixel, after the version and flags.
      corrected.replaceSubrange(offset + 4..<offset + 12, with: [0, 0, 0, 1, 0, 0, 0, 1])
    }
    return corrected
  }

  /// Returns the boxes that state the size of an item.
  private static func extents(_ box: ByteView, of item: Int) -> [ISOBox] {
    properties(box, of: item).filter { $0.has(type: "ispe") }
  }

  private static func pixelCount(_ extent: ISOBox) -> Int? {
    guard let width = extent.contents.number(at: 4, size: 4),
      let height = extent.contents.number(at: 8, size: 4)
    else { return nil }
    // Each side has 32 bits.
    return width.multipliedReportingOverflow(by: height).overflow ? .max : width * height
  }
}
