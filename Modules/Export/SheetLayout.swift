/// The positions of the images on a contact sheet, in pixels from the top left.
public struct SheetLayout: Sendable, Equatable {
  /// The maximum width and height of an image in pixels.
  public let tile: Int
  public let columns: Int
  public let rows: Int

  static let gap = 12
  static let label = 18
  static let title = 36
  /// The maximum number of pixels of a sheet, and the maximum length of its longest side.
  private static let maximumPixels = 40_000_000
  private static let maximumSide = 16_000

  /// - Parameters:
  ///   - count: The number of images, at least one.
  ///   - columns: The requested number of columns; fewer are used if a sheet would become too wide.
  public init(count: Int, tile: Int, columns: Int) {
    self.tile = max(16, min(tile, 4_096))
    let pitch = self.tile + Self.gap
    let fitting = max(1, (Self.maximumSide - Self.gap) / pitch)
    self.columns = max(1, min(columns, fitting, max(1, count)))
    let width = Self.gap + self.columns * pitch
    let tallest = min(Self.maximumSide, Self.maximumPixels / width)
    let most = max(1, (tallest - Self.title - Self.gap) / (pitch + Self.label))
    rows = min(most, (max(1, count) + self.columns - 1) / self.columns)
  }

  public var perSheet: Int { columns * rows }
  public var width: Int { Self.gap + columns * (tile + Self.gap) }

  /// - Parameter count: The number of images on the sheet.
  public func height(of count: Int) -> Int {
    let rows = (max(1, count) + columns - 1) / columns
    return Self.title + Self.gap + rows * (tile + Self.label + Self.gap)
  }

  /// Returns the top left corner of a tile in pixels. Tiles are numbered from 0, row by row.
  func tileOrigin(at index: Int) -> (x: Int, y: Int) {
    let (row, column) = (index / columns, index % columns)
    return (
      Self.gap + column * (tile + Self.gap),
      Self.title + Self.gap + row * (tile + Self.label + Self.gap)
    )
  }

  /// The number of characters that fit below a tile.
  var labelLength: Int { max(3, tile / 6) }
}
