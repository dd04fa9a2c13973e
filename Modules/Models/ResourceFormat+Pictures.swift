extension ResourceFormat {
  /// Whether bytes after the sniffed ones may still decide.
  public var isUndecided: Bool { self == .text || self == .unknown }

  /// Returns the number of leading bytes that recognise a file if its first `sniffLength` bytes, or all bytes of a
  /// shorter file, do not; nil if these suffice.
  public static func neededLength(_ head: [UInt8]) -> Int? {
    head.count >= sniffLength && hasOpenProlog(head) ? prologLimit : nil
  }

  /// Whether the header of a PDF, with the first digit of its version, is anywhere in the bytes, because readers accept
  /// other bytes before it. Without the digit, a list of URLs could contain the characters.
  static func hasHeaderOfPDF(_ bytes: [UInt8]) -> Bool {
    let marker = Array("%PDF-".utf8)
    return bytes.indices.dropLast(marker.count).contains {
      bytes[$0] == marker[0] && bytes[$0...].starts(with: marker)
        && (0x30...0x39).contains(bytes[$0 + marker.count])
    }
  }

  /// Whether a gzip file contains an SVG. Only its first element counts: a compressed feed may quote an SVG.
  static func isCompressedSVG(_ head: [UInt8]) -> Bool {
    markup(GzipBeginning.contents(head)) == .svg
  }

  /// Whether files of the format are images that no decoder opens. They are kept without a preview.
  public var isUndecodedImage: Bool {
    switch self {
    case .dicom, .exr, .dds, .psd, .sgi, .pcx, .icns: true
    default: false
    }
  }

  /// The reason why files of the format are kept without a preview, if no decoder opens them.
  public var reasonWithoutPreview: String {
    isUndecodedImage ? "imgdl does not read \(displayName) files" : "no preview (\(mediaType))"
  }

  /// Detects images that are rare on the web.
  static func rareImage(_ head: [UInt8]) -> ResourceFormat? {
    func has(_ text: String) -> Bool { head.starts(with: text.utf8) }
    func byte(_ offset: Int) -> UInt8 { offset < head.count ? head[offset] : 0xff }
    switch byte(0) {
    case UInt8(ascii: "P"): return isAnymap(head) ? .pnm : nil
    case UInt8(ascii: "#"): return has("#?RADIANCE") || has("#?RGBE") ? .hdr : nil
    case 0x76: return head.starts(with: [0x76, 0x2f, 0x31, 0x01]) ? .exr : nil
    // The size of the header follows, 124 bytes.
    case UInt8(ascii: "D"): return has("DDS |\0\0\0") ? .dds : nil
    // Version 2 is that of large documents.
    case UInt8(ascii: "8"): return has("8BPS\0\u{1}") || has("8BPS\0\u{2}") ? .psd : nil
    case UInt8(ascii: "i"): return has("icns") && byte(4) < 0x10 ? .icns : nil
    // Storage, bytes per sample, and dimensions.
    case 0x01:
      return byte(1) == 0xda && byte(2) <= 1 && (1...2).contains(byte(3)) && byte(4) == 0
        && (1...3).contains(byte(5)) ? .sgi : nil
    // Version, run lengths, and bits of a sample; a reserved byte.
    case 0x0a:
      return [0, 2, 3, 4, 5].contains(byte(1)) && byte(2) == 1 && [1, 2, 4, 8].contains(byte(3))
        && byte(64) == 0 ? .pcx : nil
    default: return nil
    }
  }

  /// Whether the bytes begin like an anymap or a float map: with a kind, and the width and height as decimal numbers,
  /// between white space and comments.
  private static func isAnymap(_ head: [UInt8]) -> Bool {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
    guard head.count > 2, "123456Ff".utf8.contains(head[1]) else { return false }
    var rest = head[2...]
    for _ in 0..<2 {
      guard let first = rest.first, isBlank(first) else { return false }
      while let byte = rest.first, isBlank(byte) || byte == UInt8(ascii: "#") {
        rest = byte == UInt8(ascii: "#") ? rest.drop { $0 != 0x0a } : rest.dropFirst()
      }
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard (1...9).contains(digits.count) else { return false }
      rest = rest[digits.endIndex...]
    }
    return rest.first.map(isBlank) ?? false
  }
}
