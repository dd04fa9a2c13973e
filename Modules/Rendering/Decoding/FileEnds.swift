public import Models

/// Whether files are there to their ends, where the libraries make do with less, or call a file damaged
/// that was cut: a picture whose lower half is missing is no picture.
///
/// Total; each looks at the structure alone. What has another structure counts as whole: the
/// decoder says what is wrong with it.
public enum FileEnds {
  /// ITU-T T.81, annex B: segments and scans up to the end marker.
  public static func isWholeJPEG(_ file: ByteView) -> Bool {
    var markers = JPEGMarkerWalk(file)
    while let marker = markers.next() {
      if marker.code == 0xd9 { return true }
    }
    return false
  }

  /// Whether the structure of the file says that more bytes belong to it than there are.
  public static func isCut(_ file: ByteView, _ format: ResourceFormat) -> Bool {
    switch format {
    case .jpeg: isCutJPEG(file)
    case .gif: !GIFStructure(file).isWhole
    case .tiff: TIFFStrips.isCut(file)
    case .webp:
      file.number(at: 4, size: 4, bigEndian: false).map { $0 > file.count - 8 } ?? true
    case .heif, .avif: isCutInBox(file)
    case .jpeg2000, .jpegXL:
      // Without a container it is a bare code stream.
      file.byte(0) == 0 && isCutInBox(file)
    default: false
    }
  }

  /// A file that ends with its end marker is whole, whatever is broken before that.
  private static func isCutJPEG(_ file: ByteView) -> Bool {
    guard file.number(at: file.count - 2, size: 2) != 0xffd9 else { return false }
    var markers = JPEGMarkerWalk(file)
    while let marker = markers.next() {
      if marker.code == 0xd9 { return false }
    }
    return !markers.isBroken
  }

  /// ISO/IEC 14496-12: boxes that follow each other, the last of which may go to the end of the file.
  private static func isCutInBox(_ file: ByteView) -> Bool {
    var offset = 0
    while offset < file.count {
      guard let size = file.number(at: offset, size: 4) else { return true }
      switch size {
      case 0: return false
      case 1:
        guard let high = file.number(at: offset + 8, size: 4),
          let low = file.number(at: offset + 12, size: 4)
        else { return true }
        let length = high < 1 << 16 ? high << 32 | low : 1 << 48
        guard length >= 16 else { return false }
        guard length <= file.count - offset else { return true }
        offset += length
      case 2..<8: return false
      default:
        guard size <= file.count - offset else { return true }
        offset += size
      }
    }
    return false
  }
}
