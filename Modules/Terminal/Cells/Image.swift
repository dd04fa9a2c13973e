import Synchronization

/// An image to show, with 8 bits per channel, rows from the top and no padding.
///
/// An image has an identity by which terminals keep its pixels, so that showing the same value again costs a
/// few bytes. Keep the value instead of creating it for each frame.
public struct Image: Sendable, Hashable, Identifiable {
  public enum Format: Int, Sendable {
    /// RGB. The raw value of a case is its number of bytes per pixel.
    case rgb = 3
    /// RGB with straight alpha, not premultiplied.
    case rgba = 4
  }

  public typealias ID = UInt64

  public let id: ID
  public let size: PixelSize
  public let format: Format
  public let pixels: [UInt8]

  /// The largest width and the largest height in pixels.
  public static let maximumSide = 10_000

  private static let numbers = Atomic<UInt64>(1)

  /// Creates an image; nil unless both sides are 1...10,000 and `pixels` has width × height × channels
  /// bytes.
  public init?(width: Int, height: Int, format: Format, pixels: [UInt8]) {
    let sides = 1...Self.maximumSide
    guard sides.contains(width), sides.contains(height),
      pixels.count == width * height * format.rawValue
    else { return nil }
    id = Self.numbers.wrappingAdd(1, ordering: .relaxed).oldValue
    size = PixelSize(width, height)
    self.format = format
    self.pixels = pixels
  }

  public static func == (left: Image, right: Image) -> Bool { left.id == right.id }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// An image or a part of it, placed in a rectangle of cells.
public struct ImagePlacement: Sendable, Hashable {
  public let image: Image
  /// The rectangle in cells of the buffer, which may extend beyond the buffer.
  public let rect: Rect
  /// The part of the image that fills `rect`, in pixels.
  public let source: PixelRect
}

extension PixelSize {
  /// Returns the largest rectangle of cells centred in `area` that shows this many pixels with their aspect
  /// ratio, as nearly as whole cells allow.
  /// - Parameters:
  ///   - cell: The size of a cell in pixels, as in `Capabilities.cellPixels`.
  ///   - enlarging: Whether an image with fewer pixels than the area is enlarged to fill it.
  public func fittedRect(in area: Rect, cell: PixelSize, enlarging: Bool = true) -> Rect {
    guard width > 0, height > 0, cell.width > 0, cell.height > 0, !area.isEmpty else {
      return Rect(area.column, area.row, 0, 0)
    }
    let across = Double(area.columns) * Double(cell.width) / Double(width)
    let down = Double(area.rows) * Double(cell.height) / Double(height)
    let scale = enlarging ? min(across, down) : min(1, across, down)
    let columns = Self.cells(Double(width) * scale / Double(cell.width), limit: area.columns)
    let rows = Self.cells(Double(height) * scale / Double(cell.height), limit: area.rows)
    return Rect(
      area.column + (area.columns - columns) / 2, area.row + (area.rows - rows) / 2, columns, rows)
  }

  private static func cells(_ value: Double, limit: Int) -> Int {
    max(1, min(limit, Int(min(value, 1e6).rounded())))
  }
}
