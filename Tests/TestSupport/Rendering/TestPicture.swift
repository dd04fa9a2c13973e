/// Pictures for tests, encoded without any codec: PNG with stored (not compressed) data.
public enum TestPicture {
  /// - Parameter pixel: red, green, blue, alpha at x, y.
  public static func png(
    width: Int, height: Int, pixel: (Int, Int) -> (UInt8, UInt8, UInt8, UInt8)
  ) -> [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity(height * (width * 4 + 1))
    for y in 0..<height {
      rows.append(0)
      for x in 0..<width {
        let (red, green, blue, alpha) = pixel(x, y)
        rows += [red, green, blue, alpha]
      }
    }
    return png(width: width, height: height, depth: 8, type: 6, data: rows)
  }

  /// A PNG of any kind (PNG 1.2, section 4.1.1).
  /// - Parameters:
  ///   - depth: bits of a sample.
  ///   - type: 0 grey, 2 colour, 3 palette, 4 grey and alpha, 6 colour and alpha.
  ///   - chunks: what comes before the pixels.
  ///   - data: a zero and the samples for each row.
  ///   - more: chunks that come after the pixels.
  public static func png(
    width: Int, height: Int, depth: UInt8, type: UInt8, chunks: [UInt8] = [], data: [UInt8],
    more: [UInt8] = []
  ) -> [UInt8] {
    let header = number(width) + number(height) + [depth, type, 0, 0, 0]
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", header) + chunks
      + chunk("IDAT", zlib(data)) + more + chunk("IEND", [])
  }

  public static func png(
    width: Int, height: Int, red: UInt8 = 200, green: UInt8 = 80, blue: UInt8 = 20,
    alpha: UInt8 = 255
  ) -> [UInt8] {
    png(width: width, height: height) { _, _ in (red, green, blue, alpha) }
  }

  /// A chunk with its length and checksum.
  public static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
    let named = Array(type.utf8) + body
    return number(body.count) + named + number(Int(crc32(named)))
  }

  /// The header of an extended WebP without pixels, with an EXIF block that states an orientation (RFC 9649, section 2.7).
  public static func turnedWebP(orientation: UInt8) -> [UInt8] {
    func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
      Array(name.utf8) + number(contents.count).reversed() + contents
    }
    let tag: [UInt8] = [0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
    let exif: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0] + tag + [0, 0, 0, 0]
    let chunks = chunk("VP8X", [8, 0, 0, 0, 7, 0, 0, 3, 0, 0]) + chunk("EXIF", exif)
    return chunk("RIFF", Array("WEBP".utf8) + chunks)
  }

  /// Four bytes, the highest one first.
  public static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// RFC 1950 around stored blocks of RFC 1951, section 3.2.4.
  public static func zlib(_ data: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in data {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    var rest = data[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(65_535)
      let size = UInt16(block.count)
      result.append(rest.isEmpty ? 1 : 0)
      for value in [size, ~size] {
        result += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
      }
      result += block
    } while !rest.isEmpty
    return result + number(Int(b << 16 | a))
  }

  /// RFC 1952 around the same stored blocks.
  public static func gzip(_ data: [UInt8]) -> [UInt8] {
    let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
    let sums = number(data.count) + number(Int(crc32(data)))
    return header + zlib(data).dropFirst(2).dropLast(4) + sums.reversed()
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xffff_ffff
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }
    return ~crc
  }
}
