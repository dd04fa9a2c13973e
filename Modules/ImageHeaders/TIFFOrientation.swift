/// The orientation in an EXIF block (EXIF 2.3, section 4.5; TIFF 6.0, section 2).
enum TIFFOrientation {
  /// Returns whether the image is shown with its axes swapped.
  /// - Parameter tiff: The TIFF structure, from its byte order on.
  static func swapsAxes(_ tiff: [UInt8]) -> Bool {
    let isBigEndian = tiff.has("MM\0*", at: 0)
    guard isBigEndian || tiff.has("II*\0", at: 0),
      let directory = tiff.number(at: 4, size: 4, isBigEndian: isBigEndian),
      let count = tiff.number(at: directory, size: 2, isBigEndian: isBigEndian)
    else { return false }
    for index in 0..<count {
      let entry = directory + 2 + 12 * index
      guard let tag = tiff.number(at: entry, size: 2, isBigEndian: isBigEndian) else {
        return false
      }
      guard tag == 0x0112 else { continue }
      // The type is SHORT or LONG.
      let size = tiff.number(at: entry + 2, size: 2, isBigEndian: isBigEndian) == 4 ? 4 : 2
      let value = tiff.number(at: entry + 8, size: size, isBigEndian: isBigEndian)
      return value.map { (5...8).contains($0) } ?? false
    }
    return false
  }
}
