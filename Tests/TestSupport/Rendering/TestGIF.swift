/// GIF files without any codec: the codes of LZW are never wider than three bits, because each pixel begins
/// with an empty table (GIF89a, appendix F).
public enum TestGIF {
  /// - Parameters:
  ///   - palette: four colours: red, green, blue.
  ///   - frames: indices of colours, row by row, of `width` × `height` pixels each; several are an
  ///     animation.
  public static func file(
    width: Int, height: Int, palette: [[UInt8]], frames: [[UInt8]]
  ) -> [UInt8] {
    let size = number(width) + number(height)
    // A table of four colours.
    var file = Array("GIF89a".utf8) + size + [0x91, 0, 0] + palette.flatMap { $0 }
    if frames.count > 1 {
      file += [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    }
    for frame in frames {
      file += [0x21, 0xf9, 4, 0, 10, 0, 0, 0]
      file += [0x2c, 0, 0, 0, 0] + size + [0, 2] + blocks(codes(frame)) + [0]
    }
    return file + [0x3b]
  }

  private static let clear: UInt8 = 4
  private static let end: UInt8 = 5

  /// Three bits for each code, from the lowest bit on.
  private static func codes(_ pixels: [UInt8]) -> [UInt8] {
    var (bytes, bits, count): ([UInt8], Int, Int) = ([], 0, 0)
    for code in pixels.flatMap({ [clear, $0] }) + [end] {
      bits |= Int(code) << count
      count += 3
      while count >= 8 {
        bytes.append(UInt8(bits & 255))
        bits >>= 8
        count -= 8
      }
    }
    return count > 0 ? bytes + [UInt8(bits & 255)] : bytes
  }

  private static func blocks(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: 255).flatMap { start -> [UInt8] in
      let block = bytes[start..<min(start + 255, bytes.count)]
      return [UInt8(block.count)] + block
    }
  }

  private static func number(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
}
