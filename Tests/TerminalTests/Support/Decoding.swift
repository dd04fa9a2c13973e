import CZlib

/// What a terminal does with the bytes of images, in the plainest way.
enum Decoding {
  struct Damaged: Error {}

  private static let values: [UInt8?] = {
    var values = [UInt8?](repeating: nil, count: 256)
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  static func base64(_ text: some Collection<UInt8>) throws -> [UInt8] {
    guard text.count % 4 == 0 else { throw Damaged() }
    var result: [UInt8] = []
    var bits = 0
    var count = 0
    for byte in text where byte != UInt8(ascii: "=") {
      guard let value = values[Int(byte)] else { throw Damaged() }
      bits = (bits << 6 | Int(value)) & 0xffffff
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return result
  }

  static func inflate(_ bytes: [UInt8], size: Int) throws -> [UInt8] {
    var result = [UInt8](repeating: 0, count: size)
    var length = uLongf(size)
    guard uncompress(&result, &length, bytes, uLong(bytes.count)) == Z_OK, Int(length) == size
    else { throw Damaged() }
    return result
  }

  /// Pixels of a PNG file without filters.
  static func png(_ file: [UInt8]) throws -> (size: PixelSizeOf, pixels: [UInt8]) {
    guard file.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) else {
      throw Damaged()
    }
    var at = 8
    var data: [UInt8] = []
    var size = PixelSizeOf(width: 0, height: 0, channels: 0)
    while at + 12 <= file.count {
      let length = number(file[at..<at + 4])
      let type = String(decoding: file[at + 4..<at + 8], as: UTF8.self)
      let content = Array(file[at + 8..<at + 8 + length])
      let sum = crc32(0, Array(file[at + 4..<at + 8 + length]), uInt(length + 4))
      guard Int(sum) == number(file[at + 8 + length..<at + 12 + length]) else { throw Damaged() }
      if type == "IHDR" {
        size = PixelSizeOf(
          width: number(content[0..<4]), height: number(content[4..<8]),
          channels: content[9] == 2 ? 3 : 4)
      }
      if type == "IDAT" { data += content }
      at += 12 + length
    }
    let rows = try inflate(data, size: size.height * (size.width * size.channels + 1))
    var pixels: [UInt8] = []
    for row in 0..<size.height {
      let start = row * (size.width * size.channels + 1)
      guard rows[start] == 0 else { throw Damaged() }
      pixels += rows[(start + 1)..<(start + 1 + size.width * size.channels)]
    }
    return (size, pixels)
  }

  struct PixelSizeOf: Equatable {
    var width: Int
    var height: Int
    var channels: Int
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
