public import Models

/// Detects truncated files, because some libraries accept such files or report another kind of damage.
///
/// Accepts any input and examines only the structure, not the pixels. A file with an unknown structure counts
/// as complete, because its decoder reports the error.
public enum TruncationCheck {
  /// Whether an end marker follows the segments and scans of a JPEG (ITU-T T.81, annex B).
  public static func isWholeJPEG(_ file: ByteView) -> Bool {
    var markers = JPEGMarkerWalk(file)
    while let marker = markers.next() {
      if marker.code == 0xd9 { return true }
    }
    return false
  }

  /// Whether the structure of the file indicates more bytes than the file has.
  public static func isCut(_ file: ByteView, _ format: ResourceFormat) -> Bool {
    switch format {
    case .jpeg: isCutJPEG(file)
    case .gif: !GIFStructure(file).isWhole
    case .tiff: TIFFStrips.isCut(file)
    case .webp:
      file.number(at: 4, size: 4, bigEndian: false).map { $0 > file.count - 8 } ?? true
    case .heif, .avif: isCutInBox(file)
    case .jpeg2000, .jpegXL:
      // A file without a container is a bare code stream, which has no boxes.
      file.byte(0) == 0 && isCutInBox(file)
    default: false
    }
  }

  /// Whether a JPEG is truncated. A file that ends with an end marker is complete, regardless of other
  /// damage.
  private static func isCutJPEG(_ file: ByteView) -> Bool {
    guard file.number(at: file.count - 2, size: 2) != 0xffd9 else { return false }
    var markers = JPEGMarkerWalk(file)
    while let marker = markers.next() {
      if marker.code == 0xd9 { return false }
    }
    return !markers.isBroken
  }

  /// Whether a box extends beyond the end of the file (ISO/IEC 14496-12). A last box of size 0 is complete.
  private static func isCutInBox(_ file: ByteView) -> Bool {
    var boxes = ISOBoxes(file)
    while boxes.next() != nil {}
    return boxes.isCut
  }
}
