/// Whether files are there to their ends, where the libraries make do with less: a picture whose lower
/// half is missing is no picture.
///
/// Total; each looks at the structure alone. What has another structure counts as whole: the
/// decoder says what is wrong with it.
public enum FileEnds {
  /// ITU-T T.81, annex B: segments and scans up to the end marker.
  public static func isWholeJPEG(_ file: ByteView) -> Bool {
    var offset = 2
    while let marker = nextMarker(file, &offset) {
      switch marker {
      case 0xd9: return true
      // Markers without a length.
      case 0x01, 0xd0...0xd7: continue
      default:
        guard let length = file.number(at: offset, size: 2), length >= 2 else { return false }
        offset += length
      }
    }
    return false
  }

  /// The next marker that is none of a scan's own; `offset` is moved behind it.
  private static func nextMarker(_ file: ByteView, _ offset: inout Int) -> Int? {
    while let start = file.firstIndex(of: 0xff, from: offset) {
      offset = start + 1
      while file.byte(offset) == 0xff { offset += 1 }
      guard let code = file.byte(offset) else { return nil }
      offset += 1
      if code != 0, !(0xd0...0xd7).contains(code) { return Int(code) }
    }
    return nil
  }

  /// TIFF 6.0, section 2: the strips or tiles of the directory of a page lie within the file.
  /// - Parameter page: from 0.
  public static func isWholeTIFF(_ file: ByteView, page: Int) -> Bool {
    guard let directory = TIFFDirectory(file, page: page) else { return true }
    for (offsets, counts) in [(273, 279), (324, 325)] {
      let (offsets, counts) = (directory.numbers(offsets), directory.numbers(counts))
      for (offset, count) in zip(offsets, counts) where offset + count > file.count {
        return false
      }
    }
    return true
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
