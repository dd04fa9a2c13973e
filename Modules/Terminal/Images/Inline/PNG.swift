import CZlib

/// An encoder of PNG files (W3C PNG, third edition), for terminals that accept files.
enum PNG {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// Returns the file, or nil if memory is exhausted.
  static func encode(_ pixels: [UInt8], _ size: PixelSize, _ format: Image.Format) -> [UInt8]? {
    let rowBytes = size.width * format.rawValue
    var filtered: [UInt8] = []
    filtered.reserveCapacity((rowBytes + 1) * size.height)
    for row in 0..<size.height {
      filtered.append(0)
      filtered += pixels[row * rowBytes..<(row + 1) * rowBytes]
    }
    guard let data = Deflate.compress(filtered) else { return nil }
    var header = bigEndian(size.width) + bigEndian(size.height)
    header += [8, format == .rgb ? 2 : 6, 0, 0, 0]
    var file = signature
    append("IHDR", header, to: &file)
    append("IDAT", data, to: &file)
    append("IEND", [], to: &file)
    return file
  }

  private static func append(_ type: String, _ data: [UInt8], to file: inout [UInt8]) {
    file += bigEndian(data.count)
    let start = file.count
    file += type.utf8
    file += data
    let sum = file[start...].withUnsafeBufferPointer {
      crc32(0, $0.baseAddress, uInt(truncatingIfNeeded: $0.count))
    }
    file += bigEndian(Int(sum))
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
