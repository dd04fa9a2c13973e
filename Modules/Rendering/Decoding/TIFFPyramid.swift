/// The pages of a TIFF that are reduced versions of another page (TIFF 6.0, section 8, `NewSubfileType`).
public enum TIFFPyramid {
  private enum Tag {
    static let subfileType = 254
    static let width = 256
    static let height = 257
  }

  /// The bit of `NewSubfileType` that marks a reduced version.
  private static let reduced = 1
  /// The maximum number of versions; each has half the side of the one before.
  private static let maximumVersions = 24

  /// Returns the smallest version of a page whose longest side is at least `side`; the page itself if there is none.
  /// Only pages that directly follow and are marked as reduced versions count: a page of half the size may be any
  /// other picture.
  public static func version(of page: Int, in file: ByteView, side: Int) -> Int {
    guard let full = size(TIFFDirectory(file, page: page)) else { return page }
    var found = page
    for next in (page + 1)...(page + maximumVersions) {
      guard let directory = TIFFDirectory(file, page: next),
        directory.numbers(Tag.subfileType).first.map({ $0 & reduced != 0 }) ?? false,
        let size = size(directory), full.isReduced(to: size), size.longestSide >= side
      else { return found }
      found = next
    }
    return found
  }

  private static func size(_ directory: TIFFDirectory?) -> PixelSize? {
    guard let width = directory?.numbers(Tag.width).first, width > 0,
      let height = directory?.numbers(Tag.height).first, height > 0
    else { return nil }
    return PixelSize(width: width, height: height)
  }
}

extension PixelSize {
  /// Whether an image of the other size may show the same: it is smaller, and its sides have the same ratio but for the
  /// rounding to whole pixels.
  public func isReduced(to other: PixelSize) -> Bool {
    guard other.width > 0, other.height > 0, other.longestSide < longestSide else { return false }
    let scale = Double(other.longestSide) / Double(longestSide)
    return abs(Double(width) * scale - Double(other.width)) <= 1.5
      && abs(Double(height) * scale - Double(other.height)) <= 1.5
  }
}
