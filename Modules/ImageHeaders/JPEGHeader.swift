import Models

/// The frame header of a JPEG file (ITU-T T.81, B.2.2), behind any number of other segments.
struct JPEGHeader: HeaderParser {
  private var hasBegun = false
  /// Whether the first EXIF block, which counts, swaps the axes; nil before the block.
  private var swapsAxes: Bool?

  /// The bytes begin with a marker.
  mutating func parse(_ bytes: [UInt8]) -> HeaderStep {
    guard hasBegun else {
      hasBegun = true
      // The first segment begins after the marker SOI.
      return .skip(2, then: Self.markerLength)
    }
    // Decoders ignore other bytes between two segments.
    let start = bytes.firstIndex(of: 0xff) ?? bytes.count
    guard start == 0 else { return .skip(start, then: Self.markerLength) }
    switch bytes[1] {
    // Any number of bytes 0xff may precede the code of a marker.
    case 0xff: return .skip(1, then: Self.markerLength)
    // No marker, and markers without a segment: TEM, restarts, and another beginning.
    case 0x00, 0x01, 0xd0...0xd8: return .skip(2, then: Self.markerLength)
    // The end, or pixels before a frame header.
    case 0xd9, 0xda: return .found(nil)
    default: break
    }
    guard let length = bytes.number(at: 2, size: 2), length >= 2 else { return .found(nil) }
    switch bytes[1] {
    case 0xc4, 0xc8, 0xcc: break
    case 0xc0...0xcf: return frame(bytes)
    case 0xe1 where length >= 8:
      guard bytes.count >= 10 else { return .need(10) }
      // Other segments of this kind, such as XMP, are skipped without being kept.
      guard swapsAxes == nil, bytes.has("Exif\0", at: 4) else { break }
      guard bytes.count >= 2 + length else { return .need(2 + length) }
      swapsAxes = TIFFOrientation.swapsAxes(Array(bytes[10..<2 + length]))
    default: break
    }
    return .skip(2 + length, then: Self.markerLength)
  }

  private static let markerLength = 4

  private func frame(_ bytes: [UInt8]) -> HeaderStep {
    guard bytes.count >= 9 else { return .need(9) }
    guard let height = bytes.number(at: 5, size: 2), let width = bytes.number(at: 7, size: 2)
    else { return .found(nil) }
    // A height of 0 is stated after the first scan.
    let dimensions = ImageDimensions(width: width, height: height)
    return .found(swapsAxes ?? false ? dimensions?.transposed : dimensions)
  }
}
