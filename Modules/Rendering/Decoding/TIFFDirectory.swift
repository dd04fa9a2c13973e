/// The entries of a TIFF directory, accessed by their tags.
struct TIFFDirectory {
  private let file: ByteView
  private let isBigEndian: Bool
  /// The size of an offset in bytes: 4, or 8 in a BigTIFF.
  private let wordSize: Int
  private let start: Int
  private let count: Int

  /// The size in bytes of a value of each type, starting with type 0; 0 for undefined types.
  private static let typeSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]
  private static let shortType = 3
  /// LONG, IFD, LONG8 and IFD8.
  private static let longTypes = [4, 13, 16, 18]
  /// An upper bound of the number of strips: no image within the limits has more rows.
  private static let maximumCount = 1 << 20
  /// An upper bound of the number of pages: no document within the limits has more.
  private static let maximumPages = 1 << 20

  /// - Returns: nil if the file does not have the page.
  init?(_ file: ByteView, page: Int) {
    let isBigEndian = file.starts(with: "MM")
    let isBig = file.number(at: 2, size: 2, bigEndian: isBigEndian) == 43
    let (wordSize, countSize) = isBig ? (8, 8) : (4, 2)
    func number(_ offset: Int, _ size: Int) -> Int? {
      Self.number(file, offset, size, isBigEndian)
    }
    guard var position = number(isBig ? 8 : 4, wordSize), page <= Self.maximumPages else {
      return nil
    }
    for _ in 0..<page {
      guard let entries = number(position, countSize), entries <= file.count,
        let next = number(position + countSize + entries * (4 + 2 * wordSize), wordSize),
        next > 0
      else { return nil }
      position = next
    }
    self.init(file, at: position)
  }

  /// - Parameter offset: The offset of the directory in the file.
  /// - Returns: nil if the file does not have a directory there.
  private init?(_ file: ByteView, at offset: Int) {
    isBigEndian = file.starts(with: "MM")
    let isBig = file.number(at: 2, size: 2, bigEndian: isBigEndian) == 43
    let countSize = isBig ? 8 : 2
    (self.file, wordSize) = (file, isBig ? 8 : 4)
    guard let entries = Self.number(file, offset, countSize, isBigEndian), entries <= file.count
    else { return nil }
    start = offset + countSize
    count = entries
  }

  private var entrySize: Int { 4 + 2 * wordSize }

  var isEmpty: Bool { count == 0 }

  /// Whether the entries and the values they refer to lie within the file.
  var isWhole: Bool {
    guard count <= (file.count - start) / entrySize else { return false }
    return entries.allSatisfy { entry in
      guard let type = number(entry + 2, 2), let length = number(entry + 4, wordSize),
        Self.typeSizes.indices.contains(type)
      else { return true }
      let (size, isTooLarge) = length.multipliedReportingOverflow(by: Self.typeSizes[type])
      guard !isTooLarge, size > wordSize else { return !isTooLarge }
      guard let place = number(entry + 4 + wordSize, wordSize) else { return true }
      return place <= file.count && size <= file.count - place
    }
  }

  private var entries: StrideTo<Int> {
    stride(from: start, to: start + count * entrySize, by: entrySize)
  }

  private func number(_ offset: Int, _ size: Int) -> Int? {
    Self.number(file, offset, size, isBigEndian)
  }

  /// Reads an unsigned integer. A 64-bit value from 1 << 48 on, which lies beyond every file, is returned as
  /// 1 << 48.
  private static func number(
    _ file: ByteView, _ offset: Int, _ size: Int, _ isBigEndian: Bool
  ) -> Int? {
    guard size == 8 else { return file.number(at: offset, size: size, bigEndian: isBigEndian) }
    guard offset >= 0, offset <= file.count,
      let first = file.number(at: offset, size: 4, bigEndian: isBigEndian),
      let second = file.number(at: offset + 4, size: 4, bigEndian: isBigEndian)
    else { return nil }
    let (high, low) = isBigEndian ? (first, second) : (second, first)
    return high < 1 << 16 ? high << 32 | low : 1 << 48
  }

  /// Returns the values of a tag, or an empty array if the tag is missing or its values are not integers.
  func numbers(_ tag: Int) -> [Int] {
    for entry in entries {
      guard number(entry, 2) == tag, let type = number(entry + 2, 2),
        let length = number(entry + 4, wordSize), length <= Self.maximumCount
      else { continue }
      guard type == Self.shortType || Self.longTypes.contains(type) else { return [] }
      let size = Self.typeSizes[type]
      let value = entry + 4 + wordSize
      let place = length * size <= wordSize ? value : number(value, wordSize) ?? file.count
      return (0..<length).compactMap { number(place + $0 * size, size) }
    }
    return []
  }

  /// Whether the directory has a tag.
  func has(_ tag: Int) -> Bool { entries.contains { number($0, 2) == tag } }

  /// Returns the text of a tag without the zero at its end, and not more than its first part; nil if the tag is missing or
  /// is no text.
  func text(_ tag: Int) -> String? {
    guard let entry = entries.first(where: { number($0, 2) == tag }),
      number(entry + 2, 2) == Self.textType, let length = number(entry + 4, wordSize)
    else { return nil }
    let value = entry + 4 + wordSize
    let place = length <= wordSize ? value : number(value, wordSize) ?? file.count
    return String(
      decoding: file.slice(place, min(length, Self.maximumTextLength)).array.prefix { $0 != 0 },
      as: UTF8.self)
  }

  private static let textType = 2
  private static let maximumTextLength = 1_024

  /// The directories to which this one leads by `SubIFDs` (TIFF Technical Note 1), without theirs.
  var subdirectories: [TIFFDirectory] {
    numbers(Self.subdirectoriesTag).prefix(Self.maximumSubdirectories)
      .compactMap { TIFFDirectory(file, at: $0) }
  }

  private static let subdirectoriesTag = 330
  private static let maximumSubdirectories = 16
}
