import CTIFF

/// The layout of the samples of a TIFF page in the file (TIFF 6.0, sections 3, 8, 15, 18, 19 and 23).
struct TIFFLayout: CustomStringConvertible {
  enum SampleKind: Sendable { case unsigned, signed, real }

  let width: Int
  let height: Int
  let bits: Int
  let samples: Int
  /// The meaning of the samples. Where the page does not state it, grey whose zero is white, or RGB: so do Pillow and
  /// libtiff.
  let photometric: Int
  let orientation: UInt8
  /// Whether each component has strips or tiles of its own.
  let isPlanar: Bool
  let isTiled: Bool
  /// The width and height of a strip or a tile in pixels.
  let bandWidth: Int
  let bandHeight: Int
  /// Whether the first sample after the colours is alpha. A page that does not state the meaning of the only one means
  /// alpha.
  let hasAlpha: Bool
  /// Whether the colours are multiplied by alpha.
  let isPremultiplied: Bool
  /// Whether the first sample after the colours has no stated meaning.
  let hasUnspecifiedSample: Bool
  let isOldJPEG: Bool
  let isUncompressed: Bool
  /// nil for complex numbers and for kinds that the specification does not define.
  let kind: SampleKind?
  let isComplex: Bool
  private let hasPhotometric: Bool
  private let isJPEG: Bool

  init(_ tiff: imgdl_tiff, _ file: OpaquePointer) {
    var functions = tiff
    func short(_ tag: Int32) -> Int { Int(imgdl_tiff_short(&functions, file, UInt32(tag))) }
    func long(_ tag: Int32) -> Int { Int(imgdl_tiff_long(&functions, file, UInt32(tag))) }
    width = long(TIFFTAG_IMAGEWIDTH)
    height = long(TIFFTAG_IMAGELENGTH)
    bits = short(TIFFTAG_BITSPERSAMPLE)
    samples = short(TIFFTAG_SAMPLESPERPIXEL)
    orientation = UInt8(clamping: short(TIFFTAG_ORIENTATION))
    isPlanar = short(TIFFTAG_PLANARCONFIG) == Int(PLANARCONFIG_SEPARATE)
    isTiled = tiff.TIFFIsTiled(file) != 0
    kind =
      switch short(TIFFTAG_SAMPLEFORMAT) {
      case 0, Int(SAMPLEFORMAT_UINT), Int(SAMPLEFORMAT_VOID): .unsigned
      case Int(SAMPLEFORMAT_INT): .signed
      case Int(SAMPLEFORMAT_IEEEFP): .real
      default: nil
      }
    isComplex = [Int(SAMPLEFORMAT_COMPLEXINT), Int(SAMPLEFORMAT_COMPLEXIEEEFP)]
      .contains(short(TIFFTAG_SAMPLEFORMAT))
    let compression = short(TIFFTAG_COMPRESSION)
    isOldJPEG = compression == Int(COMPRESSION_OJPEG)
    isJPEG = compression == Int(COMPRESSION_JPEG)
    isUncompressed = compression == Int(COMPRESSION_NONE)
    let rows = long(TIFFTAG_ROWSPERSTRIP)
    bandWidth = isTiled ? long(TIFFTAG_TILEWIDTH) : width
    bandHeight = isTiled ? long(TIFFTAG_TILELENGTH) : rows == 0 ? height : min(rows, height)
    hasPhotometric = imgdl_tiff_has_short(&functions, file, UInt32(TIFFTAG_PHOTOMETRIC)) != 0
    photometric =
      hasPhotometric
      ? short(TIFFTAG_PHOTOMETRIC)
      : Int(samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISWHITE)
    let colours = Self.colours(photometric)
    let extra = Int(imgdl_tiff_first_extra_sample(&functions, file))
    let meansAlpha = extra < 0 ? samples == colours + 1 : extra != Int(EXTRASAMPLE_UNSPECIFIED)
    hasAlpha = samples > colours && meansAlpha && !isOldJPEG
    hasUnspecifiedSample = extra == Int(EXTRASAMPLE_UNSPECIFIED)
    isPremultiplied = hasAlpha && extra == Int(EXTRASAMPLE_ASSOCALPHA)
  }

  private static func colours(_ photometric: Int) -> Int {
    let three = [PHOTOMETRIC_RGB, PHOTOMETRIC_CIELAB, PHOTOMETRIC_ICCLAB, PHOTOMETRIC_ITULAB]
    return three.contains { photometric == Int($0) } ? 3 : 1
  }

  /// Whether libvips does not decode the page, or shows something else. libvips reads 1, 2, 4, 8 and 16 bits, and
  /// fewer than 8 only of one component; of 32 bits it shows the lowest eight, which gives white. It takes each further
  /// sample for alpha, real numbers from 0 to 1 and negative ones for black, and does not read L*a*b* with alpha.
  var isUnsupportedByVips: Bool {
    guard width > 0, height > 0 else { return false }
    if isConvertedByLibtiff { return true }
    guard bandWidth > 0, bandHeight > 0, isDrawable, isReadable else { return false }
    if isLab { return samples > 3 }
    let isRead = [8, 16].contains(bits) || samples == 1 && [1, 2, 4].contains(bits)
    let hasUnusedSamples = samples > (hasAlpha ? colours + 1 : colours)
    return kind != .unsigned || !isRead || !hasPhotometric || hasUnusedSamples
  }

  /// Whether libtiff itself converts the page to RGB: JPEG of TIFF 6.0, and luminance and colour difference that are
  /// not compressed as JPEG, which libvips garbles.
  var isConvertedByLibtiff: Bool {
    isOldJPEG || photometric == Int(PHOTOMETRIC_YCBCR) && !isJPEG && hasPhotometric
  }

  /// Whether the samples are of a kind that `TIFFSamples` converts.
  private var isReadable: Bool {
    switch kind {
    case .unsigned: isLab ? bits == 8 || bits == 16 : (1...32).contains(bits) || bits == 64
    case .signed: [8, 16, 32, 64].contains(bits)
    case .real: !isLab && [16, 32, 64].contains(bits)
    case nil: false
    }
  }

  /// Whether the page is grey, RGB or L*a*b*, with or without alpha and further components.
  private var isDrawable: Bool {
    switch photometric {
    case Int(PHOTOMETRIC_MINISWHITE), Int(PHOTOMETRIC_MINISBLACK): samples >= 1
    case Int(PHOTOMETRIC_RGB): samples >= 3
    default: isLab && samples >= 3
    }
  }

  /// The number of components that are colours.
  var colours: Int { Self.colours(photometric) }
  var isRGB: Bool { photometric == Int(PHOTOMETRIC_RGB) }
  var isLab: Bool { colours == 3 && !isRGB }
  /// Whether the two colour components of L*a*b* are signed; otherwise 128, or the middle of 16 bits, is their zero.
  var hasSignedChroma: Bool { photometric == Int(PHOTOMETRIC_CIELAB) }
  var isInverted: Bool { photometric == Int(PHOTOMETRIC_MINISWHITE) }

  var description: String { "\(samples) samples of \(bits) bits, photometric \(photometric)" }
}
