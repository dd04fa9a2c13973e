import Decoding
import Models
import Rendering

/// The headers of a BMP: BITMAPFILEHEADER and any of the info headers from OS/2 1.x to
/// BITMAPV5HEADER (Microsoft, "Bitmap Storage"). Everything is little endian.
struct BitmapFileHeader {
  enum Compression: Int {
    case none = 0
    case runs8 = 1
    case runs4 = 2
    case masks = 3
    case masksWithAlpha = 6
  }

  let size: PixelSize
  /// Whether the first row in the file is the top one.
  let isTopDown: Bool
  let bitsPerPixel: Int
  let compression: Compression
  /// The bit masks of red, green, blue and alpha in a pixel of 16 or 32 bits.
  let masks: [UInt32]
  /// The colour of each palette index.
  let palette: [SIMD4<UInt8>]
  /// The offset of the pixels.
  let dataOffset: Int

  private static let fileHeaderSize = 14
  private static let coreHeaderSize = 12
  private static let infoHeaderSize = 40

  init(_ file: ByteView, limits: RenderLimits) throws(RenderError) {
    func number(_ offset: Int, _ size: Int) throws(RenderError) -> Int {
      guard let value = file.number(at: offset, size: size, bigEndian: false) else {
        throw .truncated(.bmp)
      }
      return value
    }
    dataOffset = try number(10, 4)
    let headerSize = try number(14, 4)
    let isCore = headerSize == Self.coreHeaderSize
    guard isCore || (16...1_024).contains(headerSize) else {
      throw .damaged(.bmp, "its header states a size of \(headerSize) bytes")
    }
    let width = isCore ? try number(18, 2) : Self.signed(try number(18, 4))
    let height = isCore ? try number(20, 2) : Self.signed(try number(22, 4))
    isTopDown = height < 0
    try limits.check(width: width, height: abs(height))
    size = PixelSize(width: width, height: abs(height))
    bitsPerPixel = isCore ? try number(24, 2) : try number(28, 2)
    let method = isCore || headerSize < 20 ? 0 : try number(30, 4)
    guard let known = Compression(rawValue: method) else {
      throw .unsupported(
        .bmp, "is compressed by method \(method), which is not supported")
    }
    compression = known
    try Self.check(known, bitsPerPixel)

    // The three or four masks are a part of the newer headers, or follow the old header.
    let hasMasks = known == .masks || known == .masksWithAlpha
    let maskOffset = Self.fileHeaderSize + Self.infoHeaderSize
    var masks = Self.defaultMasks(bitsPerPixel)
    if hasMasks {
      for index in 0..<3 { masks[index] = UInt32(try number(maskOffset + 4 * index, 4)) }
      let hasAlpha = headerSize >= 56 || known == .masksWithAlpha
      masks[3] = hasAlpha ? UInt32(try number(maskOffset + 12, 4)) : 0
    }
    self.masks = masks
    let behindMasks =
      hasMasks && headerSize == Self.infoHeaderSize ? (known == .masks ? 12 : 16) : 0
    let stated = isCore || headerSize < 36 ? 0 : try number(46, 4)
    palette = Self.palette(
      file, at: Self.fileHeaderSize + headerSize + behindMasks, entrySize: isCore ? 3 : 4,
      count: bitsPerPixel <= 8 ? min(stated > 0 ? stated : 256, 1 << bitsPerPixel) : 0)
  }

  var hasAlpha: Bool { masks[3] != 0 }

  private static func check(
    _ compression: Compression, _ bitsPerPixel: Int
  ) throws(RenderError) {
    let fits =
      switch compression {
      case .none: [1, 2, 4, 8, 16, 24, 32].contains(bitsPerPixel)
      case .runs8: bitsPerPixel == 8
      case .runs4: bitsPerPixel == 4
      case .masks, .masksWithAlpha: bitsPerPixel == 16 || bitsPerPixel == 32
      }
    guard fits else {
      throw .damaged(
        .bmp, "\(bitsPerPixel) bits per pixel with compression \(compression.rawValue)")
    }
  }

  private static func defaultMasks(_ bitsPerPixel: Int) -> [UInt32] {
    bitsPerPixel == 16 ? [0x7c00, 0x03e0, 0x001f, 0] : [0xff_0000, 0xff00, 0xff, 0]
  }

  /// Reads the palette. Bytes beyond the end of the file count as 0, so that such an entry is black.
  private static func palette(
    _ file: ByteView, at offset: Int, entrySize: Int, count: Int
  ) -> [SIMD4<UInt8>] {
    (0..<count).map { index in
      let entry = file.slice(offset + index * entrySize, 3)
      return SIMD4(entry.byte(2) ?? 0, entry.byte(1) ?? 0, entry.byte(0) ?? 0, 255)
    }
  }

  private static func signed(_ value: Int) -> Int {
    Int(Int32(truncatingIfNeeded: value))
  }
}
