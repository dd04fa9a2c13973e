import Decoding

/// The metadata in the chunks of an extended WebP file (RFC 9649, section 2.7).
struct WebPChunks {
  private(set) var orientation = Orientation.upright
  private(set) var isSRGB = true

  /// Parses the chunks of a file. Of a malformed file, the readable part is parsed.
  init(_ file: ByteView) {
    var offset = 12
    while let size = file.number(at: offset + 4, size: 4, bigEndian: false) {
      let body = file.slice(offset + 8, size)
      if file.starts(with: "ICCP", at: offset) { isSRGB = ColourProfile.isSRGB(body) }
      if file.starts(with: "EXIF", at: offset) {
        // Some writers put the prefix that JPEG requires before the TIFF structure.
        let tiff = body.starts(with: "Exif\0\0") ? body.slice(from: 6) : body
        orientation = EXIF.orientation(tiff) ?? orientation
      }
      offset += 8 + size + size % 2
    }
  }
}
