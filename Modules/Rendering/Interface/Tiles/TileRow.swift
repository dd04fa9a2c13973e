/// A row of tiles that is put together to strips of one large JPEG.
///
/// Strips are JPEGs of their own, so a worker keeps no state from one row to the next. `StripJoiner` joins
/// them without decoding them.
public struct TileRow: Sendable, Equatable {
  /// The width of the whole image and the height of the row, in pixels.
  public var width: Int
  public var height: Int
  /// The width of every tile but the last one, which is as wide as the rest.
  public var tileWidth: Int
  /// The height in pixels of every strip but the last one, a multiple of 8.
  public var stripHeight: Int
  /// The JPEG quality, 1...100.
  public var quality: Int
  /// The sizes of the encoded tiles in bytes, from left to right. The file contains the tiles one after the
  /// other.
  public var byteCounts: [Int]

  public init(
    width: Int, height: Int, tileWidth: Int, stripHeight: Int, quality: Int = TileRow.quality,
    byteCounts: [Int]
  ) {
    self.width = width
    self.height = height
    self.tileWidth = tileWidth
    self.stripHeight = stripHeight
    self.quality = quality
    self.byteCounts = byteCounts
  }

  /// The quality of joined images. The tiles were compressed before, so the second compression must lose
  /// little.
  public static let quality = 95

  /// The largest number of tiles of a row.
  public static let maximumTiles = 4_096
  /// The longest side in pixels that the encoder accepts.
  public static let maximumSide = 65_500

  /// Whether the values describe a row that a worker can process.
  public var isValid: Bool {
    let side = 1...Self.maximumSide
    return side.contains(width) && side.contains(height) && side.contains(tileWidth)
      && stripHeight > 0 && stripHeight % 8 == 0 && (1...100).contains(quality)
      && byteCounts.count == (width + tileWidth - 1) / tileWidth
      && byteCounts.count <= Self.maximumTiles && byteCounts.allSatisfy { $0 > 0 }
  }

  /// The width in pixels of a tile.
  public func width(ofTile index: Int) -> Int { min(tileWidth, width - index * tileWidth) }

  /// The heights of the strips, from top to bottom.
  public var stripHeights: [Int] {
    stride(from: 0, to: height, by: stripHeight).map { min(stripHeight, height - $0) }
  }

  /// Returns the largest height of strips that divides the rows evenly and whose number of blocks fits into
  /// the restart interval of a JPEG (ITU-T T.81, B.2.4.4: 16 bits).
  /// - Parameters:
  ///   - width: The width of the whole image in pixels, at most ``maximumSide``.
  ///   - rowHeight: The height in pixels of every row but the last one, at least 1.
  public static func stripHeight(width: Int, rowHeight: Int) -> Int {
    let columns = (width + 7) / 8
    let rows = (rowHeight + 7) / 8
    let most = max(1, 65_535 / max(1, columns))
    return 8 * ((1...min(rows, most)).last { rows % $0 == 0 } ?? 1)
  }
}
