import Decoding

/// The metadata in the segments before the first scan of a JPEG (ITU-T T.81, annex B).
struct JPEGMarkers {
  private(set) var orientation = Orientation.upright
  /// The embedded ICC profile, assembled from its segments (ICC.1:2010, annex B.4).
  private(set) var profile: [UInt8] = []

  /// Whether the decoder buffers the coefficients of the whole image, because they are in several scans.
  private(set) var isBuffered = false

  private enum Code {
    static let sequentialFrames = [0xc0, 0xc1, 0xc9]
    static let progressiveFrames = [0xc2, 0xca]
    static let startOfScan = 0xda
    static let endOfImage = 0xd9
    static let application1 = 0xe1
    static let application2 = 0xe2
  }

  /// Parses the segments of a file. Of a malformed file, the readable part is parsed.
  init(_ file: ByteView) {
    var parts: [Int: ByteView] = [:]
    var components: UInt8 = 0
    var hasEXIF = false
    var offset = 2
    while let marker = Self.marker(in: file, at: &offset) {
      guard marker != Code.endOfImage, let length = file.number(at: offset, size: 2), length >= 2
      else { break }
      let body = file.slice(offset + 2, length - 2)
      if Code.progressiveFrames.contains(marker) { isBuffered = true }
      if Code.sequentialFrames.contains(marker) { components = body.byte(5) ?? 0 }
      if marker == Code.startOfScan {
        if let count = body.byte(0), count < components { isBuffered = true }
        break
      }
      if marker == Code.application1, body.starts(with: "Exif\0\0") {
        // The first block counts, as in browsers.
        if !hasEXIF { orientation = EXIF.orientation(body.slice(from: 6)) ?? .upright }
        hasEXIF = true
      } else if marker == Code.application2, body.starts(with: "ICC_PROFILE\0") {
        if let number = body.byte(12) { parts[Int(number)] = body.slice(from: 14) }
      }
      offset += length
    }
    profile = parts.sorted { $0.key < $1.key }.flatMap(\.value.array)
  }

  var isSRGB: Bool {
    profile.isEmpty || profile.withUnsafeBytes { ColourProfile.isSRGB(ByteView($0)) }
  }

  /// Returns the next marker and advances `offset` past it. Fill bytes (0xff) before it are skipped.
  private static func marker(in file: ByteView, at offset: inout Int) -> Int? {
    guard file.byte(offset) == 0xff else { return nil }
    while let byte = file.byte(offset) {
      offset += 1
      if byte != 0xff { return Int(byte) }
    }
    return nil
  }
}
