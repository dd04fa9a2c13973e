/// The relation of stored rows and columns to the upright image: tag 0x0112 of EXIF 2.3, section 4.6.4.
public enum Orientation: UInt8, Sendable, CaseIterable {
  case upright = 1
  case mirrored = 2
  case upsideDown = 3
  case mirroredUpsideDown = 4
  /// Rows and columns are exchanged: mirrored about the diagonal from the top left.
  case transposed = 5
  /// The stored image must be turned clockwise by 90°.
  case turnedLeft = 6
  /// Mirrored about the diagonal from the top right.
  case transverse = 7
  /// The stored image must be turned anticlockwise by 90°.
  case turnedRight = 8

  /// Whether width and height are exchanged.
  public var swapsAxes: Bool { rawValue >= 5 }

  /// Whether the columns of the upright image run against the direction of the stored axis.
  var mirrorsColumns: Bool {
    switch self {
    case .mirrored, .upsideDown, .turnedLeft, .transverse: true
    default: false
    }
  }

  /// Whether the rows of the upright image run against the direction of the stored axis.
  var mirrorsRows: Bool {
    switch self {
    case .upsideDown, .mirroredUpsideDown, .transverse, .turnedRight: true
    default: false
    }
  }

  public func upright(_ stored: PixelSize) -> PixelSize {
    swapsAxes ? stored.transposed : stored
  }
}
