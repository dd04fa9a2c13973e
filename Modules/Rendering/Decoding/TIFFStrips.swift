/// Where the pixels of a page of a TIFF lie (TIFF 6.0, sections 2 and 3). Total.
public struct TIFFStrips {
  private let fileSize: Int
  private let offsets: [Int]
  private let counts: [Int]
  /// Rows of a strip; nil for a picture in tiles.
  private let rowsPerStrip: Int?

  private enum Tag {
    static let compression = 259
    static let stripOffsets = 273
    static let rowsPerStrip = 278
    static let stripCounts = 279
    static let tileOffsets = 324
    static let tileCounts = 325
  }

  /// Its counts are often wrong, and its data is one JPEG.
  private static let oldStyleJPEG = 6

  /// - Parameter page: from 0.
  /// - Returns: nil for what is no classic TIFF, has no such page, or has no strips of which one could
  ///   tell.
  public init?(_ file: ByteView, page: Int) {
    guard let directory = TIFFDirectory(file, page: page),
      directory.numbers(Tag.compression).first != Self.oldStyleJPEG
    else { return nil }
    fileSize = file.count
    let strips = directory.numbers(Tag.stripOffsets)
    let hasStrips = !strips.isEmpty
    offsets = hasStrips ? strips : directory.numbers(Tag.tileOffsets)
    counts = directory.numbers(hasStrips ? Tag.stripCounts : Tag.tileCounts)
    rowsPerStrip = hasStrips ? directory.numbers(Tag.rowsPerStrip).first : nil
  }

  /// All strips or tiles lie within the file.
  public var isWhole: Bool { wholeStrips == min(offsets.count, counts.count) }

  /// Rows from the top that are there; 0 for a picture in tiles.
  public var rowsFromTop: Int {
    rowsPerStrip?.multipliedReportingOverflow(by: wholeStrips).partialValue ?? 0
  }

  private var wholeStrips: Int {
    zip(offsets, counts).prefix { $0.addingReportingOverflow($1).partialValue <= fileSize }.count
  }
}

/// The entries of a directory of a TIFF: numbers by their tags.
private struct TIFFDirectory {
  private let file: ByteView
  private let isBigEndian: Bool
  private let start: Int
  private let count: Int

  private static let shortType = 3
  private static let longType = 4
  /// More strips than any picture within the limits has rows.
  private static let mostNumbers = 1 << 20

  /// - Returns: nil for what is no classic TIFF, or has no such page.
  init?(_ file: ByteView, page: Int) {
    isBigEndian = file.starts(with: "MM")
    self.file = file
    guard var position = file.number(at: 4, size: 4, bigEndian: isBigEndian) else { return nil }
    for _ in 0..<page {
      guard let entries = file.number(at: position, size: 2, bigEndian: isBigEndian),
        let next = file.number(at: position + 2 + entries * 12, size: 4, bigEndian: isBigEndian)
      else { return nil }
      position = next
    }
    guard let entries = file.number(at: position, size: 2, bigEndian: isBigEndian) else {
      return nil
    }
    start = position + 2
    count = entries
  }

  /// Empty where there is no such tag, or it holds no whole numbers.
  func numbers(_ tag: Int) -> [Int] {
    func number(_ offset: Int, _ size: Int) -> Int? {
      file.number(at: offset, size: size, bigEndian: isBigEndian)
    }
    for entry in stride(from: start, to: start + count * 12, by: 12) {
      guard number(entry, 2) == tag, let type = number(entry + 2, 2),
        let length = number(entry + 4, 4), length <= Self.mostNumbers
      else { continue }
      guard type == Self.shortType || type == Self.longType else { return [] }
      let size = type == Self.shortType ? 2 : 4
      let place = length * size <= 4 ? entry + 8 : number(entry + 8, 4) ?? file.count
      return (0..<length).compactMap { number(place + $0 * size, size) }
    }
    return []
  }
}
