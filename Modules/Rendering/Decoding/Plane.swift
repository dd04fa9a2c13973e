/// Pixels in rows from top to bottom, without padding: `height` × `width` × `pixelSize` bytes.
public struct Plane: Sendable {
  public let width: Int
  public let height: Int
  /// The size of a pixel in bytes: 1 for a single component, 4 for red, green, blue and alpha.
  public let pixelSize: Int
  /// The part of `width` and `height` that the image covers, in pixels of this plane. The part is smaller
  /// than the plane if a codec rounds up: at half size, 481 pixels cover 240.5 of 241.
  public let coveredWidth: Double
  public let coveredHeight: Double
  public var bytes: [UInt8]

  /// - Parameter bytes: `width` × `height` × `pixelSize` bytes.
  public init(
    width: Int, height: Int, pixelSize: Int, coveredWidth: Double? = nil,
    coveredHeight: Double? = nil, bytes: [UInt8]
  ) {
    precondition(bytes.count == width * height * pixelSize)
    self.width = width
    self.height = height
    self.pixelSize = pixelSize
    self.coveredWidth = coveredWidth ?? Double(width)
    self.coveredHeight = coveredHeight ?? Double(height)
    self.bytes = bytes
  }

  public var rowBytes: Int { width * pixelSize }

  /// The number of rows and columns that show a part of the image. Codecs leave the memory of further ones as it is.
  var coveredRows: Int { min(height, max(1, Int(coveredHeight.rounded(.up)))) }
  var coveredColumns: Int { min(width, max(1, Int(coveredWidth.rounded(.up)))) }
}
