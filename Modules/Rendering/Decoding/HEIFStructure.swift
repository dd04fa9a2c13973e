/// The properties of the primary image of a HEIF or AVIF file that libheif does not report to libvips (ISO/IEC
/// 23008-12; 14496-12).
public struct HEIFStructure {
  /// Whether the colours are multiplied by alpha: the item reference `prem`.
  public private(set) var isPremultiplied = false
  /// Whether the image has only luminance, of the limited range of video, which libheif does not widen.
  public private(set) var isGreyOfLimitedRange = false

  /// The colours that the box `colr` states by numbers; nil without such a box.
  public private(set) var colourCode: ColourCode?

  /// The type of a property that readers must understand in order to show the image, and that libheif ignores; nil if there
  /// is none (14496-12, 8.11.14).
  public private(set) var unknownProperty: String?
  /// The same of the image's alpha.
  public private(set) var unknownAlphaProperty: String?
  /// Whether a thumbnail has such a property.
  public private(set) var hasUnknownThumbnail = false

  /// Parses a file, which may be malformed: boxes that do not fit are ignored.
  public init(_ file: ByteView) {
    guard let meta = Meta(file) else { return }
    let (primary, references) = (meta.primary, meta.references)
    isPremultiplied = references.map { !Self.targets($0, "prem", of: primary).isEmpty } ?? false
    guard let properties = meta.properties.map({ Properties($0) }) else { return }
    // The tiles of a grid have the properties of the coded images.
    let tile = references.flatMap { Self.targets($0, "dimg", of: primary).first }
    let coded = properties.boxes(of: primary) + (tile.map { properties.boxes(of: $0) } ?? [])
    colourCode = coded.lazy.compactMap(Self.colourCode).first
    isGreyOfLimitedRange =
      coded.contains(where: Self.isGrey) && coded.contains(where: Self.isLimited)
    let essentials = EssentialProperties(properties, references)
    unknownProperty = essentials.unknown(of: [primary])
    guard let references else { return }
    unknownAlphaProperty = essentials.unknown(
      of: Self.sources(references, "auxl", to: primary).filter {
        properties.boxes(of: $0).contains(where: Self.isAlpha)
      })
    hasUnknownThumbnail =
      essentials.unknown(of: Self.sources(references, "thmb", to: primary)) != nil
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
    references(box, type).first { $0.item == item }?.targets ?? []
  }

  /// Returns the references of a type.
  private static func references(
    _ box: ByteView, _ type: StaticString
  ) -> [(item: Int, targets: [Int])] {
    let size = box.byte(0) == 0 ? 2 : 4
    return boxes(box.slice(from: 4)).filter { $0.has(type: type) }.compactMap { reference in
      let list = reference.contents
      guard let item = list.number(at: 0, size: size), let count = list.number(at: size, size: 2)
      else { return nil }
      let maximum = max(0, list.count - size - 2) / size
      return (
        item,
        (0..<min(count, maximum)).compactMap {
          list.number(at: size + 2 + $0 * size, size: size)
        }
      )
    }
  }

  /// The box `iprp`: the properties of all items.
  private struct Properties {
    private let all: [ISOBox]
    /// The associations of each item.
    private let lists: [Int: [AssociationList]]

    init(_ box: ByteView) {
      let parts = HEIFStructure.boxes(box)
      all = parts.first { $0.has(type: "ipco") }.map { HEIFStructure.boxes($0.contents) } ?? []
      lists = Dictionary(
        grouping: parts.filter { $0.has(type: "ipma") }
          .flatMap { HEIFStructure.associationLists($0.contents) }, by: \.item)
    }

    /// Returns the associations of an item, of which a sound file has one list.
    func lists(of item: Int) -> [AssociationList] { lists[item] ?? [] }

    /// Returns the box of an association, whose highest bit is no part of the number.
    func box(_ association: Int, _ list: AssociationList) -> ISOBox? {
      let index = (association & (list.essential - 1)) - 1
      return all.indices.contains(index) ? all[index] : nil
    }

    /// Returns the boxes of the properties of an item.
    func boxes(of item: Int) -> [ISOBox] {
      lists(of: item).flatMap { list in list.numbers.compactMap { box($0, list) } }
    }
  }

  /// The associations of an item as they are stored, each of one or two bytes.
  private struct AssociationList {
    let item: Int
    let size: Int
    let bytes: ByteView

    /// The bit which says that a reader must understand the property.
    var essential: Int { size == 2 ? 0x8000 : 0x80 }

    /// The numbers of the properties, from 1.
    var numbers: [Int] {
      (0..<bytes.count / size).compactMap { bytes.number(at: $0 * size, size: size) }
    }
  }

  private static func associationLists(_ box: ByteView) -> [AssociationList] {
    guard let version = box.byte(0), let flags = box.number(at: 1, size: 3),
      let count = box.number(at: 4, size: 4)
    else { return [] }
    let (idSize, indexSize) = (version < 1 ? 2 : 4, flags & 1 == 1 ? 2 : 1)
    var (position, lists) = (8, [AssociationList]())
    for _ in 0..<min(count, maximumCount) {
      guard let id = box.number(at: position, size: idSize),
        let indices = box.byte(position + idSize)
      else { break }
      position += idSize + 1
      let bytes = box.slice(position, Int(indices) * indexSize)
      lists.append(AssociationList(item: id, size: indexSize, bytes: bytes))
      position += Int(indices) * indexSize
    }
    return lists
  }

  /// Returns the items that have references of a type to an item, each once.
  private static func sources(_ box: ByteView, _ type: StaticString, to item: Int) -> [Int] {
    var seen: Set<Int> = []
    return references(box, type)
      .filter { $0.targets.contains(item) && seen.insert($0.item).inserted }.map(\.item)
  }

  /// Whether a codec configuration is that of an image without colours (AV1 in ISOBMFF, 2.3.3; 14496-15, 8.3.3).
  private static func isGrey(_ property: ISOBox) -> Bool {
    if property.has(type: "av1C") {
      return property.contents.byte(2).map { $0 & 0x10 != 0 } ?? false
    }
    return property.has(type: "hvcC") && property.contents.byte(16).map { $0 & 3 == 0 } ?? false
  }

  /// Whether a property makes its image the alpha of another one.
  private static func isAlpha(_ property: ISOBox) -> Bool {
    guard property.has(type: "auxC") else { return false }
    // The name of the type is short, and many images may share the property.
    let type = property.contents.slice(0, 256)
    return type.contains("auxiliary:alpha") || type.contains("auxid:1")
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
  /// The properties of images that readers must understand.
  private struct EssentialProperties {
    private let properties: Properties
    /// The images from which an image is derived, by its number.
    private let origins: [Int: [Int]]

    init(_ properties: Properties, _ references: ByteView?) {
      self.properties = properties
      var origins: [Int: [Int]] = [:]
      for reference in references.map({ HEIFStructure.references($0, "dimg") }) ?? [] {
        origins[reference.item, default: []] += reference.targets
      }
      self.origins = origins
    }

    /// Returns the type of the first property that libheif ignores, of the images and of those from which they are derived,
    /// such as the tiles of a grid.
    func unknown(of images: [Int]) -> String? {
      var (found, open) = (Set(images), images)
      while let image = open.popLast() {
        open += (origins[image] ?? []).filter { found.insert($0).inserted }
        for list in properties.lists(of: image) {
          for number in list.numbers where number & list.essential != 0 {
            if let box = properties.box(number, list), !Self.isKnown(box) { return box.type }
          }
        }
      }
      return nil
    }

    /// Whether libheif applies a property, or the property changes no pixel.
    private static func isKnown(_ property: ISOBox) -> Bool {
      // Of an image in layers or in operating points, libheif shows the whole one.
      if property.has(type: "lsel") { return property.contents.number(at: 0, size: 2) == 0xffff }
      if property.has(type: "a1op") { return property.contents.byte(0) == 0 }
      // libheif does not stretch an image whose pixels are not square.
      if property.has(type: "pasp") {
        return property.contents.number(at: 0, size: 4).map {
          $0 == property.contents.number(at: 4, size: 4)
        } ?? false
      }
      return known.contains { property.has(type: $0) }
    }

    private static let known: [StaticString] = [
      "hvcC", "av1C", "avcC", "vvcC", "evcC", "jpgC", "j2kH", "ispe", "pixi", "colr", "clap",
      "irot", "imir", "auxC", "rloc", "a1lx", "clli", "mdcv", "cclv", "amve",
    ]
  }
}

extension HEIFStructure {
  /// Returns the file without what makes libheif refuse it or show it wrongly; nil if there is nothing of it.
  public static func corrected(_ file: ByteView) -> [UInt8]? {
    guard let meta = Meta(file), let properties = meta.properties.map({ Properties($0) }) else {
      return nil
    }
    var changes = orderChanges(properties, meta.primary) + cropChanges(properties, meta.primary)
    if let references = meta.references {
      changes += thumbnailChanges(properties, references, meta.primary)
    }
    guard !changes.isEmpty else { return nil }
    var corrected = file.array
    for (place, bytes) in changes {
      guard let offset = file.offset(of: place), place.count >= bytes.count else { continue }
      corrected.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    return corrected
  }

  /// The bytes that replace those at the beginning of a part of the file.
  private typealias Change = (place: ByteView, bytes: [UInt8])

  /// Corrects the sizes of thumbnails that state more pixels than the image has: libheif refuses a file for the stated size
  /// of any image in it.
  private static func thumbnailChanges(
    _ properties: Properties, _ references: ByteView, _ primary: Int
  ) -> [Change] {
    guard let size = extents(properties, of: primary).first.flatMap(pixelCount) else { return [] }
    return sources(references, "thmb", to: primary).flatMap { extents(properties, of: $0) }
      .filter { pixelCount($0).map { $0 > size } ?? false }
      // One pixel, after the version and flags.
      .map { ($0.contents.slice(from: 4), [0, 0, 0, 1, 0, 0, 0, 1]) }
  }

  private static func isTransformation(_ property: ISOBox) -> Bool {
    property.has(type: "irot") || property.has(type: "imir") || property.has(type: "clap")
  }

  /// Puts the size before the rotation, mirroring and cropping, which belong behind it (23008-12, 6.5.1): libheif applies
  /// them to the size that it has read before.
  private static func orderChanges(_ properties: Properties, _ primary: Int) -> [Change] {
    properties.lists(of: primary).compactMap { list -> Change? in
      let boxes = list.numbers.map { properties.box($0, list) }
      let isLater = boxes.map { $0.map(isTransformation) ?? false }
      guard let first = isLater.firstIndex(of: true),
        let size = boxes.lastIndex(where: { $0?.has(type: "ispe") ?? false }),
        first < size
      else { return nil }
      let ordered =
        zip(list.numbers, isLater).filter { !$0.1 } + zip(list.numbers, isLater).filter { $0.1 }
      return (
        list.bytes,
        ordered.flatMap { number, _ in
          list.size == 2
            ? [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
            : [UInt8(truncatingIfNeeded: number)]
        }
      )
    }
  }

  /// Makes crops that are empty or larger than the image those of the whole image, which browsers show.
  private static func cropChanges(_ properties: Properties, _ primary: Int) -> [Change] {
    let own = properties.boxes(of: primary)
    guard let extent = own.first(where: { $0.has(type: "ispe") })?.contents,
      var width = extent.number(at: 4, size: 4), var height = extent.number(at: 8, size: 4)
    else { return [] }
    var changes: [Change] = []
    for property in own {
      if property.has(type: "irot"), property.contents.byte(0).map({ $0 & 1 == 1 }) ?? false {
        swap(&width, &height)
      }
      guard property.has(type: "clap") else { continue }
      let numbers = (0..<8).compactMap { property.contents.number(at: $0 * 4, size: 4) }
      guard numbers.count == 8 else { continue }
      // The sides are fractions of numbers of 32 bits.
      let isPossible =
        numbers[0] > 0 && numbers[1] > 0 && (numbers[0] - 1) / numbers[1] < width
        && numbers[2] > 0 && numbers[3] > 0 && (numbers[2] - 1) / numbers[3] < height
      guard !isPossible else {
        width = max(1, numbers[0] / numbers[1])
        height = max(1, numbers[2] / numbers[3])
        continue
      }
      let whole = [width, 1, height, 1, 0, 1, 0, 1]
      changes.append(
        (
          property.contents,
          whole.flatMap { number in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
          }
        ))
    }
    return changes
  }

  /// Returns the boxes that state the size of an item.
  private static func extents(_ properties: Properties, of item: Int) -> [ISOBox] {
    properties.boxes(of: item).filter { $0.has(type: "ispe") }
  }

  private static func pixelCount(_ extent: ISOBox) -> Int? {
    guard let width = extent.contents.number(at: 4, size: 4),
      let height = extent.contents.number(at: 8, size: 4)
    else { return nil }
    // Each side has 32 bits.
    return width.multipliedReportingOverflow(by: height).overflow ? .max : width * height
  }
}
