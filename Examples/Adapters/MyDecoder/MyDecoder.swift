public import Decoding
public import Models
public import Rendering

/// Registers `my-decoder`; the programs need no other declaration of this module.
public enum MyDecoderPlugin: DecoderPlugin {
  public static let decoders = [
    DecoderDescriptor(
      "my-decoder", formats: [.bmp], library: LibraryVersion("my-decoder", nil, for: "BMP")
    ) { () throws(RenderError) in MyDecoder() }
  ]
}

/// BMP of 24 bits without compression; other kinds of BMP are the next decoder's.
public final class MyDecoder: ImageDecoder {
  /// Opens no library. A decoder that needs one opens it here, before its worker is confined.
  public init() {}

  public var libraries: [LibraryVersion] { [LibraryVersion("my-decoder", "1.0", for: "BMP")] }

  public func probe(_ source: ImageSource) throws(RenderError) -> DocumentInfo {
    let header = try Header(ByteView(source.bytes), source.limits)
    return DocumentInfo(format: .bmp, width: header.width, height: header.height)
  }

  public func decode(
    _ source: ImageSource, page: Int, side: Int
  ) throws(RenderError) -> DecodedPage {
    guard page == 0 else { throw RenderError(.damaged, "there is one image in a BMP file") }
    let bytes = ByteView(source.bytes)
    let header = try Header(bytes, source.limits)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(4 * header.width * header.height)
    for y in 0..<header.height {
      // BMP stores the last row first.
      let row = header.start + (header.height - 1 - y) * header.rowBytes
      for x in 0..<header.width {
        // Three bytes from the lowest: blue, green, red.
        guard let color = bytes.number(at: row + 3 * x, size: 3, bigEndian: false) else {
          throw .truncated(.bmp)
        }
        pixels += [UInt8(color >> 16), UInt8(color >> 8 & 255), UInt8(color & 255), 255]
      }
    }
    let plane = Plane(width: header.width, height: header.height, pixelSize: 4, bytes: pixels)
    return DecodedPage(
      info: DocumentInfo(format: .bmp, width: header.width, height: header.height),
      raster: Raster(layout: .rgba(isOpaque: true), planes: [plane]))
  }
}

/// The fields of the first 54 bytes. None of the numbers can be trusted.
private struct Header {
  let width: Int
  let height: Int
  /// The offset of the first pixel in bytes.
  let start: Int

  /// The length of a row in bytes, padded to a multiple of four.
  var rowBytes: Int { (3 * width + 3) / 4 * 4 }

  init(_ bytes: ByteView, _ limits: RenderLimits) throws(RenderError) {
    guard bytes.starts(with: "BM") else { throw .damaged(.bmp) }
    guard let start = bytes.number(at: 10, size: 4, bigEndian: false),
      let size = bytes.number(at: 14, size: 4, bigEndian: false),
      let width = bytes.number(at: 18, size: 4, bigEndian: false),
      let height = bytes.number(at: 22, size: 4, bigEndian: false),
      let bits = bytes.number(at: 28, size: 2, bigEndian: false),
      let method = bytes.number(at: 30, size: 4, bigEndian: false)
    else { throw .truncated(.bmp) }
    // A height with the highest bit set means rows from the top.
    guard size == 40, bits == 24, method == 0, height < 1 << 31, width < 1 << 31 else {
      throw .unsupported(.bmp, "is of a kind that this decoder does not know")
    }
    // The limits come before the memory: from here on products of the two fit into an `Int`.
    try limits.check(width: width, height: height)
    try limits.check(bytesPerPixel: 4, width: width, height: height)
    (self.width, self.height, self.start) = (width, height, start)
  }
}
