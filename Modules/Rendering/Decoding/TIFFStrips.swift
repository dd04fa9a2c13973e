/// The strips or tiles of a page of a TIFF, classic or BigTIFF (TIFF 6.0, sections 2 and 3). The file may be
/// malformed.
public struct TIFFStrips {
  /// Whether all strips or tiles lie within the file.
  public let isWhole: Bool

  private enum Tag {
    static let compression = 259
    static let stripOffsets = 273
    static let stripCounts = 279
    static let tileOffsets = 324
    static let tileCounts = 325
  }

  /// The compression number of old-style JPEG; such files often state wrong byte counts.
  private static let oldStyleJPEG = 6

  /// - Parameter page: The index of the page, from 0.
  /// - Returns: nil if the file is not a TIFF, does not have the page, or its strips cannot be checked.
  public init?(_ file: ByteView, page: Int) {
    guard let directory = TIFFDirectory(file, page: page),
      directory.numbers(Tag.compression).first != Self.oldStyleJPEG
    else { return nil }
    let strips = directory.numbers(Tag.stripOffsets)
    let hasStrips = !strips.isEmpty
    let offsets = hasStrips ? strips : directory.numbers(Tag.tileOffsets)
    let counts = directory.numbers(hasStrips ? Tag.stripCounts : Tag.tileCounts)
    isWhole = zip(offsets, counts).allSatisfy { offset, count in
      let (end, isBeyond) = offset.addingReportingOverflow(count)
      return !isBeyond && end <= file.count
    }
  }

  /// Whether the file ends before the pixels of its first page, or before the directory that locates them.
  /// Many programs write the directory last, so that their truncated files lack it.
  public static func isCut(_ file: ByteView) -> Bool {
    guard let directory = TIFFDirectory(file, page: 0), directory.isWhole else { return true }
    return TIFFStrips(file, page: 0)?.isWhole == false
  }
}
