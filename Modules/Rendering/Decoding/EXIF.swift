/// A reader of the EXIF orientation.
public enum EXIF {
  private static let orientationTag = 0x0112
  private static let shortType = 3
  private static let longType = 4

  /// - Parameter tiff: The TIFF structure after `Exif\0\0` (EXIF 2.3, section 4.5; TIFF 6.0, section 2).
  /// - Returns: The orientation, or nil if the block is malformed or does not contain one.
  public static func orientation(_ tiff: ByteView) -> Orientation? {
    let bigEndian: Bool
    if tiff.starts(with: "MM\0*") {
      bigEndian = true
    } else if tiff.starts(with: "II*\0") {
      bigEndian = false
    } else {
      return nil
    }
    guard let directory = tiff.number(at: 4, size: 4, bigEndian: bigEndian),
      let entries = tiff.number(at: directory, size: 2, bigEndian: bigEndian)
    else { return nil }
    for index in 0..<entries {
      let entry = directory + 2 + index * 12
      guard let tag = tiff.number(at: entry, size: 2, bigEndian: bigEndian) else { return nil }
      guard tag == orientationTag else { continue }
      return value(tiff, at: entry, bigEndian).flatMap(Orientation.init(rawValue:))
    }
    return nil
  }

  private static func value(_ tiff: ByteView, at entry: Int, _ bigEndian: Bool) -> UInt8? {
    guard let type = tiff.number(at: entry + 2, size: 2, bigEndian: bigEndian) else { return nil }
    let size: Int
    switch type {
    case shortType: size = 2
    case longType: size = 4
    default: return nil
    }
    return tiff.number(at: entry + 8, size: size, bigEndian: bigEndian).flatMap(
      UInt8.init(exactly:))
  }
}
