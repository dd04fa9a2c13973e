import CZlib

/// The text of a compressed SVG, which librsvg decompresses by itself.
enum CompressedSVG {
  /// The number of bytes of the text that are examined.
  private static let limit = 64 << 20
  /// The base-2 logarithm of the window size, plus 16, with which zlib accepts only the gzip format.
  private static let windowBits: Int32 = 15 + 16

  /// Returns the text up to the limit, or up to the first error.
  static func text(_ file: UnsafeRawBufferPointer) -> [UInt8] {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(stream, windowBits, ZLIB_VERSION, size) == Z_OK else { return [] }
    defer { inflateEnd(stream) }
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: file.bindMemory(to: Bytef.self).baseAddress)
    stream.pointee.avail_in = UInt32(clamping: file.count)
    var text: [UInt8] = []
    let buffer = UnsafeMutableBufferPointer<Bytef>.allocate(capacity: 64 << 10)
    defer { buffer.deallocate() }
    while text.count < limit {
      stream.pointee.next_out = buffer.baseAddress
      stream.pointee.avail_out = UInt32(clamping: buffer.count)
      let result = inflate(stream, Z_NO_FLUSH)
      text += buffer.prefix(buffer.count - Int(stream.pointee.avail_out))
      guard result == Z_OK else { break }
    }
    return text
  }
}
