import CTIFF

/// The layout of the samples of a TIFF page in the file (TIFF 6.0, sections 3, 8 and 15).
struct TIFFLayout: CustomStringConvertible {
  let width: Int
  let height: Int
  let bits: Int
  let samples: Int
  let photometric: Int
  let orientation: UInt8
  /// Whether each component has strips or tiles of its own.
  let isPlanar: Bool
  let isTiled: Bool
  /// The width and height of a strip or a tile in pixels.
  let bandWidth: Int
  let bandHeight: Int
  let hasAlpha: Bool
  let isOldJPEG: Bool
  let isUncompressed: Bool
  private let format: Int

  init(_ tiff: imgdl_tiff, _ file: OpaquePointer) {
    var functions = tiff
    func short(_ tag: Int32) -> Int { Int(imgdl_tiff_short(&functions, file, UInt32(tag))) }
    func long(_ tag: Int32) -> Int { Int(imgdl_tiff_long(&functions, file, UInt32(tag))) }
    width = long(TIFFTAG_IMAGEWIDTH)
    height = long(TIFFTAG_IMAGELENGTH)
    bits = short(TIFFTAG_BITSPERSAMPLE)
    samples = short(TIFFTAG_SAMPLESPERPIXEL)
    photometric = short(TIFFTAG_PHOTOMETRIC)
    orientation = UInt8(clamping: short(TIFFTAG_ORIENTATION))
    isPlanar = short(TIFFTAG_PLANARCONFIG) == Int(PLANARCONFIG_SEPARATE)
    isTiled = tiff.TIFFIsTiled(file) != 0
    format = short(TIFFTAG_SAMPLEFORMAT)
    isOldJPEG = short(TIFFTAG_COMPRESSION) == Int(COMPRESSION_OJPEG)
    isUncompressed = short(TIFFTAG_COMPRESSION) == Int(COMPRESSION_NONE)
    let rows = long(TIFFTAG_ROWSPERSTRIP)
    bandWidth = isTiled ? long(TIFFTAG_TILEWIDTH) : width
    bandHeight = isTiled ? long(TIFFTAG_TILELENGTH) : rows == 0 ? height : min(rows, height)
    let colours = photometric == Int(PHOTOMETRIC_RGB) ? 3 : 1
    hasAlpha = samples == colours + 1 && !isOldJPEG
  }

  /// Whether libvips does not decode the layout. libvips reads 1, 2, 4, 8 and 16 bits, and fewer than 8 only
  /// of one component; of 32 bits it shows the lowest eight, which gives white.
  var isUnsupportedByVips: Bool {
    if isOldJPEG { return width > 0 && height > 0 }
    let isUnsigned = format <= Int(SAMPLEFORMAT_UINT)
    let isRead = [8, 16].contains(bits) || samples == 1 && [1, 2, 4].contains(bits)
    return isUnsigned && (1...32).contains(bits) && !isRead && width > 0 && height > 0
      && bandWidth > 0 && bandHeight > 0 && isDrawable
  }

  /// Whether the page is grey or RGB, with or without alpha and further components.
  private var isDrawable: Bool {
    switch photometric {
    case Int(PHOTOMETRIC_MINISWHITE), Int(PHOTOMETRIC_MINISBLACK): samples >= 1
    case Int(PHOTOMETRIC_RGB): samples >= 3
    default: false
    }
  }

  var isRGB: Bool { photometric == Int(PHOTOMETRIC_RGB) }
  var isInverted: Bool { photometric == Int(PHOTOMETRIC_MINISWHITE) }

  var description: String { "\(samples) samples of \(bits) bits, photometric \(photometric)" }
}
