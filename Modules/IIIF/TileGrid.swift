/// The tiles of an image at one scale factor, in rows from top to bottom.
public struct TileGrid: Sendable, Equatable {
  public typealias Size = ImageInformation.Size

  /// The limits of an image that is put together from tiles.
  public static let maximumTiles = 4_096
  public static let maximumPixels = 400_000_000
  /// The longest side in pixels that JPEG can store.
  public static let maximumSide = 65_500
  /// The largest number of pixels of a row of tiles, which are in the memory of a worker together.
  public static let maximumRowPixels = 70_000_000
  /// The factor of the rows' heights, the height of a block of JPEG, because rows are joined as strips.
  public static let rowAlignment = 8

  private let information: ImageInformation
  private let scaleFactor: Int
  /// The size of the whole image, reduced by the scale factor.
  public let size: Size
  /// The size of a tile that is not at an edge.
  public let tile: Size
  public let columns: Int
  public let rows: Int

  /// Selects the tile set and the scale factor that yield the largest image within the limits; nil if there
  /// is none.
  init?(_ information: ImageInformation) {
    var best: TileGrid?
    for set in information.tileSets {
      for factor in set.scaleFactors {
        guard let grid = TileGrid(information, set.tile, factor) else { continue }
        if let best, best.size.area >= grid.size.area { continue }
        best = grid
      }
    }
    guard let best else { return nil }
    self = best
  }

  private init?(_ information: ImageInformation, _ tile: Size, _ factor: Int) {
    self.information = information
    scaleFactor = factor
    size = Self.size(information, reducedBy: factor)
    guard let height = Self.rowHeight(tile, of: size, canCrop: information.canCrop) else {
      return nil
    }
    self.tile = Size(width: min(tile.width, size.width), height: min(height, size.height))
    columns = Self.quotient(size.width, self.tile.width)
    rows = Self.quotient(size.height, self.tile.height)
    guard size.width <= Self.maximumSide, size.height <= Self.maximumSide,
      size.area <= Self.maximumPixels, columns * rows <= Self.maximumTiles,
      size.width * self.tile.height <= Self.maximumRowPixels
    else { return nil }
  }

  /// Returns a tile size whose rows cannot be joined, because their height is not a multiple of ``rowAlignment`` and the
  /// service delivers no other regions; nil if there is none.
  static func misalignedTile(_ information: ImageInformation) -> Size? {
    information.tileSets.first { set in
      set.scaleFactors.contains {
        rowHeight(set.tile, of: size(information, reducedBy: $0), canCrop: information.canCrop)
          == nil
      }
    }?.tile
  }

  private static func size(_ information: ImageInformation, reducedBy factor: Int) -> Size {
    Size(
      width: quotient(information.size.width, factor),
      height: quotient(information.size.height, factor))
  }

  /// Returns the height of the rows; nil if they cannot be joined.
  private static func rowHeight(_ tile: Size, of image: Size, canCrop: Bool) -> Int? {
    let excess = tile.height % rowAlignment
    guard tile.height < image.height, excess != 0 else { return tile.height }
    // A service that delivers any region need not be asked for its own tiles.
    return canCrop && tile.height > excess ? tile.height - excess : nil
  }

  /// Returns the quotient, rounded up. Both numbers are positive and at most
  /// ``ImageInformation/maximumSide``.
  private static func quotient(_ number: Int, _ divisor: Int) -> Int {
    (number + divisor - 1) / divisor
  }

  /// The height in pixels of all tiles of a row.
  public func height(ofRow row: Int) -> Int { min(tile.height, size.height - row * tile.height) }

  /// The width in pixels of all tiles of a column.
  public func width(ofColumn column: Int) -> Int {
    min(tile.width, size.width - column * tile.width)
  }

  /// Returns the path of a tile below the base URI of the service: the region in pixels of the full image, and
  /// the exact size in canonical form (3.0 §4.7, 2.1 §4.7).
  public func path(column: Int, row: Int) -> String {
    let (x, y) = (column * tile.width * scaleFactor, row * tile.height * scaleFactor)
    let width = min(tile.width * scaleFactor, information.size.width - x)
    let height = min(tile.height * scaleFactor, information.size.height - y)
    let size = Size(width: self.width(ofColumn: column), height: self.height(ofRow: row))
    let quality = information.version == .v1 ? "native" : "default"
    return "\(x),\(y),\(width),\(height)/\(information.sizeParameter(size))/0/\(quality)."
      + information.format
  }
}
