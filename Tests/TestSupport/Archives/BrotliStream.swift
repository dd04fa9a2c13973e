/// Brotli streams made by hand (RFC 7932 §9), without compression, with a window of 64 KiB.
public enum BrotliStream {
  /// A stream of meta-blocks of at most 1,000 bytes.
  public static func of(_ bytes: [UInt8]) -> [UInt8] {
    // The first bit of a stream, a 0, states the window.
    guard !bytes.isEmpty else { return [0b110] }
    var stream: [UInt8] = []
    var start = 0
    while start < bytes.count {
      let end = min(start + 1_000, bytes.count)
      // ISLAST 0, two bits for four nibbles, MLEN - 1 in 16 bits, ISUNCOMPRESSED 1.
      let header = (end - start - 1) << 3 | 1 << 19
      let bits = start == 0 ? header << 1 : header
      stream += (0..<3).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
      stream += bytes[start..<end]
      start = end
    }
    // ISLAST and ISLASTEMPTY.
    return stream + [0b11]
  }
}
