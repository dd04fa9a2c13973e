/// An image's pixels in the form that libchafa requires.
struct ChafaPixels {
  let start: UnsafePointer<UInt8>
  let width: Int32
  let height: Int32
  let rowBytes: Int32
  let channels: Int32

  /// Calls `body` with a part of an image.
  ///
  /// Rows must begin at multiples of four bytes, because libchafa 1.12 reads whole words and rounds the row
  /// stride down to them. A part with other rows is copied.
  static func with<Result>(
    _ image: Image, _ source: PixelRect, _ body: (ChafaPixels) -> Result?
  ) -> Result? {
    let channels = image.format.rawValue
    let rowBytes = image.size.width * channels
    let offset = source.y * rowBytes + source.x * channels
    func call(_ pixels: UnsafeBufferPointer<UInt8>, _ offset: Int, _ rowBytes: Int) -> Result? {
      guard let base = pixels.baseAddress else { return nil }
      return body(
        ChafaPixels(
          start: base + offset, width: Int32(source.width), height: Int32(source.height),
          rowBytes: Int32(rowBytes), channels: Int32(channels)))
    }
    if rowBytes % 4 == 0, offset % 4 == 0 {
      return image.pixels.withUnsafeBufferPointer { call($0, offset, rowBytes) }
    }
    let length = source.width * channels
    let padded = (length + 3) / 4 * 4
    var copy: [UInt8] = []
    copy.reserveCapacity(padded * source.height)
    for row in 0..<source.height {
      let from = offset + row * rowBytes
      copy += image.pixels[from..<from + length]
      for _ in length..<padded { copy.append(0) }
    }
    return copy.withUnsafeBufferPointer { call($0, 0, padded) }
  }
}
