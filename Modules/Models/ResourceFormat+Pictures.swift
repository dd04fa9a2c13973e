extension ResourceFormat {
  /// The number of leading bytes in which readers of PDF search for its header.
  public static let headerLimitOfPDF = 1_024

  /// Whether bytes after the sniffed ones may still decide.
  public var isUndecided: Bool { self == .text || self == .unknown }

  /// Returns the number of leading bytes that recognise a file if its first `sniffLength` bytes, or all bytes of a
  /// shorter file, do not; nil if these suffice.
  public static func neededLength(_ head: [UInt8]) -> Int? {
    guard head.count >= sniffLength else { return nil }
    if hasOpenProlog(head) { return prologLimit }
    return ResourceFormat(sniffing: head).isUndecided && head.count < headerLimitOfPDF
      ? headerLimitOfPDF : nil
  }

  /// Whether the header of a PDF is anywhere in the bytes, because readers accept other bytes before it.
  @usableFromInline
  static func hasHeaderOfPDF(_ bytes: [UInt8]) -> Bool {
    let marker = Array("%PDF-".utf8)
    return bytes.indices.dropLast(marker.count - 1).contains {
      bytes[$0] == marker[0] && bytes[$0...].starts(with: marker)
    }
  }

  /// Whether a gzip file contains an SVG. Only its first element counts: a compressed feed may quote an SVG.
  static func isCompressedSVG(_ head: [UInt8]) -> Bool {
    markup(GzipBeginning.contents(head)) == .svg
  }
}
