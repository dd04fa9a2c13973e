import Models
import Rendering

/// The EXIF block of a file: a TIFF structure (TIFF 6.0, section 2), found and read as by ExifRead 3.0.1.
struct EXIFBlock {
  let isBigEndian: Bool
  private let file: ByteView
  /// The offset of the block in the file; offsets in the block count from it.
  private let start: Int

  /// The error where ExifRead raises an exception.
  static let malformed = RenderError(.damaged, "the EXIF block is malformed")

  /// Finds the block of a file.
  /// - Returns: nil if the file has no block, or is of a format in which ExifRead finds none.
  init?(in file: ByteView, _ format: ResourceFormat) throws(RenderError) {
    let found: Int?
    switch format {
    case .jpeg: found = try Self.offset(inJPEG: file)
    case .webp: found = try Self.offset(inWebP: file)
    case .tiff: found = 0
    // ExifRead fails on the first box in the metadata of such a file, a handler box.
    case .heif where file.starts(with: "ftypheic", at: 4): throw Self.malformed
    default: found = nil
    }
    guard let found else { return nil }
    self.file = file
    start = found
    switch file.byte(found) {
    case UInt8(ascii: "I"): isBigEndian = false
    // The last two are the versions of Adobe's Ducky and Adobe segments, which ExifRead takes for EXIF.
    case UInt8(ascii: "M"), 1, UInt8(ascii: "d"): isBigEndian = true
    default: throw Self.malformed
    }
  }

  func contains(_ offset: Int) -> Bool { start + offset < file.count }

  /// Returns `count` bytes, or fewer if the file ends before.
  func slice(_ offset: Int, _ count: Int) -> ByteView { file.slice(start + offset, count) }

  /// Reads an integer of 1, 2 or 4 bytes. As in ExifRead, an integer of one byte is always 0, and so is a
  /// longer one of which at most one byte lies within the file.
  func number(at offset: Int, size: Int, isSigned: Bool = false) throws(RenderError) -> Int {
    let place = start + offset
    guard place >= 0 else { throw Self.malformed }
    guard size > 1, file.count - place > 1 else { return 0 }
    guard let number = file.number(at: place, size: size, bigEndian: isBigEndian) else {
      throw Self.malformed
    }
    return isSigned && number >> (size * 8 - 1) == 1 ? number - 1 << (size * 8) : number
  }

  /// Reads four bytes of a floating-point number, which must lie within the file.
  func part(at offset: Int) throws(RenderError) -> Int {
    guard let part = file.number(at: start + offset, size: 4, bigEndian: isBigEndian) else {
      throw Self.malformed
    }
    return part
  }

  private static func offset(inJPEG file: ByteView) throws(RenderError) -> Int? {
    // The segments of other metadata at the beginning may have any length; after them, ExifRead searches
    // 4,000 bytes.
    guard file.count >= 4 else { throw malformed }
    var segment = 2
    while file.byte(segment) == 0xff, isLeadingSegment(file, segment) {
      guard let length = file.number(at: segment + 2, size: 2), length >= 8 else { throw malformed }
      segment += 2 + length
    }
    guard file.byte(segment) != nil else { throw malformed }

    let head = file.slice(0, segment + 4_000)
    while true {
      let marker = head.number(at: segment, size: 2)
      if marker == 0xffdb { break }
      guard let length = head.number(at: segment + 2, size: 2) else {
        if let marker, commonMarkers.contains(marker) { throw malformed }
        return nil
      }
      if marker == 0xffe1, head.starts(with: "Exif", at: segment + 4) { return segment + 10 }
      segment += 2 + length
    }
    // A quantization table follows, and ExifRead compares the wrong bytes of it with the names of segments.
    guard let byte = head.byte(segment + 2) else { throw malformed }
    let names: [StaticString] = ["Exif", "Ducky", "Adobe"]
    let isNamed = names.contains { head.starts(with: $0, at: segment + 6) }
    return byte == 0xff && isNamed ? segment + 12 : nil
  }

  /// The markers of application segments, and of the start, that ExifRead expects to be complete.
  private static let commonMarkers: Set = [0xffd8, 0xffe0, 0xffe1, 0xffe2, 0xffec, 0xffee]

  private static func isLeadingSegment(_ file: ByteView, _ offset: Int) -> Bool {
    let names: [StaticString] = ["JFIF", "JFXX", "OLYM", "Phot"]
    return names.contains { file.starts(with: $0, at: offset + 4) }
  }

  /// Returns the offset of the content of the EXIF chunk. As in ExifRead, the padding byte of a chunk of odd
  /// size is not skipped, so that a block after such a chunk is not found.
  private static func offset(inWebP file: ByteView) throws(RenderError) -> Int? {
    guard file.starts(with: "VP8X", at: 12) else { return nil }
    // ExifRead tests the flag of EXIF in the size of the chunk, which is 10.
    guard let size = file.byte(16) else { throw malformed }
    guard size & 8 != 0 else { return nil }
    var offset = 30
    while let size = file.number(at: offset + 4, size: 4, bigEndian: false) {
      if file.starts(with: "EXIF", at: offset) { return offset + 8 }
      offset += 8 + size
    }
    return nil
  }
}
