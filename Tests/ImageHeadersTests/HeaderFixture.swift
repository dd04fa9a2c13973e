/// Beginnings of image files.
enum HeaderFixture {
  static func number(_ value: Int, _ size: Int, isBigEndian: Bool = true) -> [UInt8] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }

  /// - Parameter filler: Bytes before the frame header.
  static func jpeg(
    _ width: Int, _ height: Int, _ segments: [(UInt8, [UInt8])] = [], frame: UInt8 = 0xc0,
    filler: [UInt8] = []
  ) -> [UInt8] {
    var bytes: [UInt8] = [0xff, 0xd8]
    bytes += [0xff, 0xe0, 0, 16] + Array("JFIF\0\u{1}\u{1}\0\0\u{1}\0\u{1}\0\0".utf8)
    for (code, content) in segments {
      bytes += [0xff, code]
      bytes += number(content.count + 2, 2)
      bytes += content
    }
    bytes += filler
    bytes += [0xff, frame, 0, 17, 8]
    bytes += number(height, 2)
    bytes += number(width, 2)
    bytes += [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
    return bytes
  }

  /// An EXIF segment with another entry before the orientation.
  static func exif(_ orientation: Int, isBigEndian: Bool = true) -> [UInt8] {
    var bytes = Array("Exif\0\0".utf8)
    bytes += Array((isBigEndian ? "MM" : "II").utf8)
    let numbers = [
      // The header and the number of entries, then the two entries and the end.
      (42, 2), (8, 4), (2, 2), (0x010f, 2), (2, 2), (4, 4), (0, 4), (0x0112, 2), (3, 2), (1, 4),
      (orientation, 2), (0, 2), (0, 4),
    ]
    for (value, size) in numbers { bytes += number(value, size, isBigEndian: isBigEndian) }
    return bytes
  }

  static func png(_ width: Int, _ height: Int, _ chunks: [(String, [UInt8])] = []) -> [UInt8] {
    var header = number(width, 4)
    header += number(height, 4)
    header += [8, 2, 0, 0, 0]
    var bytes: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    for (type, content) in [("IHDR", header)] + chunks + [("IDAT", [0x78, 0xda])] {
      bytes += number(content.count, 4)
      bytes += Array(type.utf8)
      bytes += content
      bytes += [0, 0, 0, 0]
    }
    return bytes
  }

  static func webp(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
    Array("RIFF\0\u{1}\0\0WEBP\(kind)\0\0\0\0".utf8) + payload
  }

  static func bmp(_ header: [UInt8]) -> [UInt8] {
    Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + header
  }

  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8, 4) + Array(type.utf8) + content
  }

  /// A file whose second item is the primary one.
  static func heif(angle: UInt8? = nil, crops: Bool = false) -> [UInt8] {
    func size(_ width: Int, _ height: Int) -> [UInt8] {
      var content: [UInt8] = [0, 0, 0, 0]
      content += number(width, 4)
      content += number(height, 4)
      return box("ispe", content)
    }
    var properties = size(16, 16)
    properties += size(320, 240)
    properties += box("irot", [angle ?? 0])
    properties += box("clap", [UInt8](repeating: 0, count: 32))
    var own: [UInt8] = [0x82]
    if angle != nil { own.append(0x83) }
    if crops { own.append(0x84) }
    var associations: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 1, 0x81, 0, 2]
    associations.append(UInt8(own.count))
    associations += own
    var meta: [UInt8] = [0, 0, 0, 0]
    meta += box("hdlr", [UInt8](repeating: 0, count: 20))
    meta += box("pitm", [0, 0, 0, 0, 0, 2])
    meta += box("iprp", box("ipco", properties) + box("ipma", associations))
    var bytes = box("ftyp", Array("avif\0\0\0\0avifmif1".utf8))
    bytes += box("meta", meta)
    bytes += box("mdat", [1])
    return bytes
  }

  /// Numbers with their counts of bits, the lowest bit first, and zeros behind them.
  static func bits(_ numbers: [(Int, Int)]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16)
    var position = 0
    for (value, count) in numbers {
      for bit in 0..<count {
        bytes[position / 8] |= UInt8(value >> bit & 1) << (position % 8)
        position += 1
      }
    }
    return bytes
  }
}
