/// The format of a file, detected from its first bytes, never from its name or a response field.
public enum ResourceFormat: String, Sendable, CaseIterable, Hashable {
  case jpeg, png, webp, gif, tiff, bmp, heif, avif, svg, svgz, jpegXL = "jxl", jpeg2000 = "jp2"
  case ico, cur, tga, pdf
  /// The anymaps of Netpbm, and float maps.
  case pnm
  /// Radiance.
  case hdr
  /// Images of medicine; many begin like a TIFF file.
  case dicom
  /// Other images that no decoder opens.
  case exr, dds, psd, sgi, pcx, icns
  case zip
  case sevenZip = "7z"
  case rar, tar, gzip, html, json, text
  case unknown

  /// The number of leading bytes that `init(sniffing:)` examines first: those in which readers of PDF search for its
  /// header, which may follow other bytes.
  public static let sniffLength = 1_024

  /// The file name extension without a dot; `bin` for an unknown format.
  public var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .tiff: "tif"
    case .heif: "heic"
    case .gzip: "gz"
    case .text: "txt"
    case .dicom: "dcm"
    case .unknown: "bin"
    default: rawValue
    }
  }

  /// The common name of the format, for display.
  public var displayName: String {
    switch self {
    case .jpeg, .png, .gif, .tiff, .bmp, .heif, .avif, .svg, .svgz, .pdf, .zip, .rar, .tar, .html,
      .json, .ico, .cur, .tga, .pnm, .hdr, .dicom, .dds, .psd, .sgi, .pcx, .icns:
      rawValue.uppercased()
    case .webp: "WebP"
    case .exr: "OpenEXR"
    case .jpegXL: "JPEG XL"
    case .jpeg2000: "JPEG 2000"
    case .sevenZip, .gzip, .text: rawValue
    case .unknown: "unknown"
    }
  }

  public var mediaType: String {
    switch self {
    case .jpeg, .png, .webp, .gif, .tiff, .bmp, .heif, .avif: "image/\(rawValue)"
    case .jpegXL: "image/jxl"
    case .jpeg2000: "image/jp2"
    case .ico: "image/vnd.microsoft.icon"
    case .cur: "image/x-win-bitmap"
    case .tga: "image/x-tga"
    case .pnm: "image/x-portable-anymap"
    case .hdr: "image/vnd.radiance"
    case .exr: "image/x-exr"
    case .dds: "image/vnd-ms.dds"
    case .psd: "image/vnd.adobe.photoshop"
    case .sgi: "image/x-sgi"
    case .pcx: "image/vnd.zbrush.pcx"
    case .icns: "image/x-icns"
    case .svg: "image/svg+xml"
    case .svgz: "image/svg+xml-compressed"
    case .dicom: "application/dicom"
    case .pdf, .zip, .gzip, .json: "application/\(rawValue)"
    case .sevenZip: "application/x-7z-compressed"
    case .rar: "application/vnd.rar"
    case .tar: "application/x-tar"
    case .html: "text/html"
    case .text: "text/plain"
    case .unknown: "application/octet-stream"
    }
  }

  public enum Kind: Sendable { case image, document, archive, other }

  public var kind: Kind {
    switch self {
    case .jpeg, .png, .webp, .gif, .tiff, .bmp, .heif, .avif, .svg, .svgz, .jpegXL, .jpeg2000, .ico,
      .cur, .tga, .pnm, .hdr:
      .image
    case .pdf: .document
    case .zip, .sevenZip, .rar, .tar: .archive
    case .dicom, .exr, .dds, .psd, .sgi, .pcx, .icns, .gzip, .html, .json, .text, .unknown: .other
    }
  }
}

extension ResourceFormat {
  /// Detects a format.
  /// - Parameter bytes: The first `sniffLength` bytes of the file, or all bytes of a shorter file. Markup
  ///   whose first element comes later needs more bytes (`neededLength`).
  @inlinable
  public init(sniffing bytes: some RandomAccessCollection<UInt8>) {
    self.init(head: Array(bytes.prefix(Self.sniffLength)))
    guard self == .text, bytes.count > Self.sniffLength else { return }
    if let late = Self.markup(Array(bytes.prefix(Self.prologLimit))) { self = late }
  }

  /// Recognizes JPEG and PNG, the most frequent formats, by their magic numbers, and DICOM that begins like them; nil for
  /// every other format.
  @inlinable
  public init?(magic bytes: some RandomAccessCollection<UInt8>) {
    if bytes.starts(with: Self.jpegMagic) {
      self = .jpeg
    } else if bytes.starts(with: Self.pngMagic) {
      self = .png
    } else {
      return nil
    }
    // The 128 bytes before the prefix of DICOM are free for the header of another format.
    if bytes.dropFirst(128).starts(with: Self.dicomMagic) { self = .dicom }
  }

  /// The prefix of DICOM, and the group of its first element (PS3.10, 7.1).
  @usableFromInline static let dicomMagic: [UInt8] = [0x44, 0x49, 0x43, 0x4d, 2, 0]
  @usableFromInline static let jpegMagic: [UInt8] = [0xff, 0xd8, 0xff]
  @usableFromInline
  static let pngMagic: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  @usableFromInline
  init(head: [UInt8]) {
    if let format = Self.binary(head) {
      self = format
      return
    }
    let textual = Self.textual(head)
    if textual.isUndecided, Self.hasHeaderOfPDF(head) {
      self = .pdf
    } else {
      self = Self.isTarga(head) ? .tga : textual
    }
  }

  private static func binary(_ head: [UInt8]) -> ResourceFormat? {
    func has(_ text: String, at offset: Int = 0) -> Bool {
      head.dropFirst(offset).starts(with: text.utf8)
    }
    func has(_ magic: [UInt8]) -> Bool { head.starts(with: magic) }
    if let format = ResourceFormat(magic: head) { return format }
    if has("RIFF"), has("WEBP", at: 8) { return .webp }
    if has("GIF87a") || has("GIF89a") { return .gif }
    // The 128 bytes before the prefix are free for the header of another format, mostly TIFF.
    if has("DICM", at: 128) { return .dicom }
    if has([0x49, 0x49, 0x2a, 0x00]) || has([0x4d, 0x4d, 0x00, 0x2a]) { return .tiff }
    // BigTIFF: version 43, then the size of an offset, 8 bytes.
    if has([0x49, 0x49, 0x2b, 0x00, 0x08, 0x00]) || has([0x4d, 0x4d, 0x00, 0x2b, 0x00, 0x08]) {
      return .tiff
    }
    if has("ftyp", at: 4) { return isoBrand(head) }
    if has("BM"), head.count >= 18, head[14] >= 12, head[15] == 0 { return .bmp }
    if has([0xff, 0x0a]) || has([0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20]) { return .jpegXL }
    if has([0, 0, 0, 0x0c, 0x6a, 0x50, 0x20, 0x20]) || has([0xff, 0x4f, 0xff, 0x51]) {
      return .jpeg2000
    }
    if isIcon(head, type: 1) { return .ico }
    if isIcon(head, type: 2) { return .cur }
    if has("PK\u{3}\u{4}") || has("PK\u{5}\u{6}") || has("PK\u{7}\u{8}") { return .zip }
    if has([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]) { return .sevenZip }
    if has("Rar!\u{1a}\u{7}") { return .rar }
    if has("ustar", at: 257) || hasChecksumOfTar(head) { return .tar }
    if has([0x1f, 0x8b]) { return isCompressedSVG(head) ? .svgz : .gzip }
    return has("%PDF-") ? .pdf : rareImage(head)
  }

  /// Whether the bytes are the header of a tar archive of Unix V7, which has no magic number: a name, and a correct
  /// checksum, which is the sum of all bytes with blanks in place of its own.
  private static func hasChecksumOfTar(_ head: [UInt8]) -> Bool {
    guard head.count >= 512, head[0] != 0 else { return false }
    let field = 148..<156
    let digits = head[field].drop { $0 == 0x20 }.prefix { (0x30...0x37).contains($0) }
    guard !digits.isEmpty,
      head[(digits.endIndex)..<field.upperBound].allSatisfy({ $0 == 0 || $0 == 0x20 })
    else { return false }
    let stated = digits.reduce(0) { $0 << 3 | Int($1 & 7) }
    let sum = head[..<512].reduce(0) { $0 + Int($1) } - head[field].reduce(0) { $0 + Int($1) }
    return sum + 8 * 0x20 == stated
  }

  /// Whether the bytes are a TGA header. The format has no magic number, so the type, depth, palette and
  /// flags must be consistent. Without a palette, the size of its entries must be one that writers put there.
  private static func isTarga(_ head: [UInt8]) -> Bool {
    guard head.count > 18, head[12] | head[13] > 0, head[14] | head[15] > 0, head[17] & 0xc0 == 0,
      [0, 1, 8].contains(head[17] & 15)
    else { return false }
    let depth = head[16]
    let hasPalette = head[1] == 1
    let isPaletteSound =
      hasPalette
      ? [15, 16, 24, 32].contains(head[7]) && head[5] | head[6] > 0
      : head[1] == 0 && [0, 15, 16, 24, 32].contains(head[7])
    switch head[2] {
    case 1, 9: return hasPalette && isPaletteSound && (depth == 8 || depth == 16)
    case 2, 10: return isPaletteSound && [15, 16, 24, 32].contains(depth)
    case 3, 11: return isPaletteSound && (depth == 8 || depth == 16)
    default: return false
    }
  }

  /// Whether the bytes are the header of a file of icons or cursors. The format has no magic number, so the
  /// function checks for the type, at least one entry, and a first entry whose reserved byte is 0 and whose
  /// data is not empty and follows the list.
  private static func isIcon(_ head: [UInt8], type: UInt8) -> Bool {
    guard head.starts(with: [0, 0, type, 0]), head.count >= 22 else { return false }
    func number(_ offset: Int, _ size: Int) -> Int {
      (0..<size).reduce(0) { $0 | Int(head[offset + $1]) << (8 * $1) }
    }
    let count = number(4, 2)
    // In an icon these two bytes are the number of planes, in a cursor the place that points.
    let isSound = type == 2 ? number(10, 2) <= 256 : number(10, 2) <= 1
    return count > 0 && head[9] == 0 && isSound && number(14, 4) > 0
      && number(18, 4) >= 6 + 16 * count
  }

  private static func isoBrand(_ head: [UInt8]) -> ResourceFormat {
    let brand = String(decoding: head.dropFirst(8).prefix(4), as: UTF8.self)
    switch brand {
    case "avif", "avis": return .avif
    case "mif1", "msf1":
      // Both brands stand for any image in the container; the compatible brands name the codec.
      let brands = String(decoding: head.dropFirst(16), as: UTF8.self)
      return brands.hasPrefix("avi") || brands.dropFirst(4).hasPrefix("avi") ? .avif : .heif
    case "heic", "heix", "hevc", "hevx", "heim", "heis": return .heif
    default: return .unknown
    }
  }

  private static func textual(_ head: [UInt8]) -> ResourceFormat {
    if let format = wideMarkup(head) { return format }
    var body = head.withoutByteOrderMark
    body = body.drop { $0 == 0x20 || (0x09...0x0d).contains($0) }
    guard !body.contains(where: isBinaryControl) else { return .unknown }
    guard let first = body.first else { return head.isEmpty ? .unknown : .text }
    // Markup of any other vocabulary counts as text.
    if first == UInt8(ascii: "<") { return beginningOfMarkup(Array(body)) ?? .text }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return .json }
    return .text
  }

  /// Whether a byte is a control character that texts do not have: none of white space, and not the escape character of
  /// terminals.
  public static func isBinaryControl(_ byte: UInt8) -> Bool {
    byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte != 0x1b)
  }

  /// HTML or SVG in UTF-16, with or without a byte order mark; nil for everything else.
  private static func wideMarkup(_ head: [UInt8]) -> ResourceFormat? {
    let less = UInt8(ascii: "<")
    let isLittle = head.starts(with: [0xff, 0xfe, less, 0]) || head.starts(with: [less, 0])
    guard isLittle || head.starts(with: [0xfe, 0xff, 0, less]) || head.starts(with: [0, less])
    else { return nil }
    let bytes = head.first == 0xff || head.first == 0xfe ? head.dropFirst(2) : head[...]
    // Element names are ASCII, so one byte of each UTF-16 code unit is sufficient.
    let narrow = stride(from: isLittle ? 0 : 1, to: bytes.count, by: 2).map {
      bytes[bytes.startIndex + $0]
    }
    return beginningOfMarkup(narrow)
  }
}
