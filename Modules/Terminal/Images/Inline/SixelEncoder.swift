import CChafa

/// An encoder for sixel (DEC STD 070), with at most 256 colours that libchafa chooses for each image.
struct SixelEncoder: InlineEncoder {
  private let cell: PixelSize
  private let background: UInt32
  let maximumSize: Size?

  init(_ capabilities: Capabilities) {
    let cell = capabilities.cellPixels
    self.cell = cell
    // The height is that of whole bands of six rows.
    maximumSize = capabilities.sixelLimit.map {
      Size(max(1, $0.width / max(1, cell.width)), max(1, $0.height / 6 * 6 / max(1, cell.height)))
    }
    background = SymbolCells.packed(capabilities.background)
  }

  func encode(_ fragment: ImageFragment, endsScreen: Bool) -> [UInt8]? {
    // After an image, xterm moves the cursor to the next row, and scrolls if the image ends in the last row.
    let rows = endsScreen ? fragment.rect.rows - 1 : fragment.rect.rows
    var source = fragment.source
    source.height = source.height * rows / fragment.rect.rows
    guard rows > 0, source.height > 0, let chafa = ChafaLibrary.functions else { return nil }
    let width = fragment.rect.columns * cell.width
    let height = rows * cell.height
    // libchafa omits the pixels below the last complete band of six rows. The image is therefore drawn with
    // additional rows, which are cut off again, so that adjacent images have no gap.
    let whole = (height + 5) / 6 * 6
    let bytes = ChafaPixels.with(fragment.image, source) { pixels -> [UInt8]? in
      var length = 0
      guard
        let text = imgdl_chafa_sixel(
          chafa, pixels.start, pixels.width, pixels.height, pixels.rowBytes, pixels.channels, 1, 1,
          Int32(width), Int32(whole), background, &length)
      else { return nil }
      defer { chafa.pointee.g_free(text) }
      return [UInt8](UnsafeRawBufferPointer(start: text, count: length))
    }
    return bytes.flatMap { whole == height ? $0 : SixelTrim.trimmed($0, width: width, to: height) }
  }
}

/// The removal of rows of pixels from the bottom of a sixel image.
enum SixelTrim {
  /// Removes rows from the bottom of an image.
  /// - Parameter bytes: An image whose height is the next multiple of six.
  /// - Returns: The image, or nil if it does not have libchafa's form: `ESC P … q " 1;1;width;height # …`.
  static func trimmed(_ bytes: [UInt8], width: Int, to height: Int) -> [UInt8]? {
    guard let quote = bytes.firstIndex(of: UInt8(ascii: "\"")),
      let colours = bytes[quote...].firstIndex(of: UInt8(ascii: "#")),
      let end = bytes.lastIndex(of: 0x1b), end > colours
    else { return nil }
    var result = Array(bytes[...quote])
    result.append(contentsOf: "1;1;\(width);\(height)".utf8)
    // Each band of six rows ends with `-`; the last one may, too.
    let bands = (height + 5) / 6
    let mask = UInt8(truncatingIfNeeded: (1 << (height - (bands - 1) * 6)) - 1)
    var band = 1
    for byte in bytes[colours..<end] {
      if byte == UInt8(ascii: "-") { band += 1 }
      let isSixel = (0x3f...0x7e).contains(byte)
      result.append(band == bands && isSixel ? (byte - 0x3f) & mask + 0x3f : byte)
    }
    return result + bytes[end...]
  }
}
