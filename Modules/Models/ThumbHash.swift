/// A blurred image in at most 25 bytes, which is shown until the thumbnail is loaded (ThumbHash,
/// https://evanw.github.io/thumbhash/).
///
/// The bytes contain the mean colour and the lowest frequencies of the cosine transform of three channels
/// (lightness, yellow to blue, and red to green), and of a fourth one for transparency. Each number is stored
/// in 4 to 6 bits as a fraction of its channel's scale.
public struct ThumbHash: Sendable, Hashable {
  /// Five or six bytes with mean values and scales, followed by the frequencies, two in each byte.
  public let bytes: [UInt8]

  /// - Returns: nil unless the number of bytes is the one that the header states.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count >= Self.headerLength else { return nil }
    self.bytes = Array(bytes)
    let count = channels.reduce(0) { $0 + $1.frequencyCount }
    guard self.bytes.count == frequencyOffset + (count + 1) / 2 else { return nil }
  }

  private static let headerLength = 5

  /// The size of a channel's table of frequencies. Only the triangle of the lowest frequencies is stored.
  public struct Channel: Sendable, Hashable {
    public let columns: Int
    public let rows: Int

    public init(columns: Int, rows: Int) {
      self.columns = columns
      self.rows = rows
    }

    /// The number of frequencies in a row, the mean value included.
    public func columns(inRow row: Int) -> Int {
      (columns * (rows - row) + rows - 1) / rows
    }

    /// The number of frequencies without the mean value.
    public var frequencyCount: Int { (0..<rows).reduce(-1) { $0 + columns(inRow: $1) } }
  }

  /// The index of the first byte with frequencies.
  public var frequencyOffset: Int { Self.headerLength + (hasAlpha ? 1 : 0) }

  public var hasAlpha: Bool { bytes[2] & 0x80 != 0 }
  public var isLandscape: Bool { bytes[4] & 0x80 != 0 }

  /// The channels in the order of their frequencies: lightness, yellow to blue, red to green, and opacity if
  /// the image is transparent.
  public var channels: [Channel] {
    let longer = Self.longerSide(hasAlpha: hasAlpha)
    let shorter = Int(bytes[3] & 7)
    let lightness = Self.lightness(
      columns: isLandscape ? longer : shorter, rows: isLandscape ? shorter : longer)
    return [lightness, .colour, .colour] + (hasAlpha ? [.alpha] : [])
  }

  /// The number of frequencies of the lightness along the longer side of the image.
  public static func longerSide(hasAlpha: Bool) -> Int { hasAlpha ? 5 : 7 }

  public static func lightness(columns: Int, rows: Int) -> Channel {
    Channel(columns: max(3, columns), rows: max(3, rows))
  }
}

extension ThumbHash.Channel {
  public static let colour = ThumbHash.Channel(columns: 3, rows: 3)
  public static let alpha = ThumbHash.Channel(columns: 5, rows: 5)
}
