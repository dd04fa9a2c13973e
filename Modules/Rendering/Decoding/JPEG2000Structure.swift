import Models
public import Rendering

/// The marker segments and tile-parts of a JPEG 2000 code stream (ITU-T T.800, annex A), parsed without
/// decoding.
///
/// OpenJPEG decodes almost any bytes: it seldom fails or warns if a part of the compressed data was
/// overwritten. The format allows one check: within packets no byte 0xFF is followed by one above 0x8F (A.1
/// and B.10.1), except for the two markers that packets may contain.
public struct JPEG2000Structure {
  public private(set) var damage: RenderError?

  private enum Marker {
    static let start = 0xff4f
    static let tilePart = 0xff90
    static let packet = 0xff91
    static let packetHeaderEnd = 0xff92
    static let data = 0xff93
    static let end = 0xffd9
  }

  /// Parses a file, which may be malformed. A file without a code stream counts as undamaged, because its
  /// decoder reports the error.
  public init(_ file: ByteView) {
    guard let stream = Self.codeStream(file) else { return }
    var offset = 2
    while let marker = stream.number(at: offset, size: 2), marker != Marker.end {
      switch marker {
      case Marker.tilePart:
        guard let next = tilePart(stream, at: offset) else { return }
        offset = next
      case 0xff01...0xffff:
        guard let length = stream.number(at: offset + 2, size: 2) else {
          damage = .truncated(.jpeg2000)
          return
        }
        offset += 2 + length
      default:
        damage = .damaged(.jpeg2000, "no marker where a tile-part ends")
        return
      }
    }
  }

  /// Whether a reader of boxes may find a palette: a box `pclr` beside the header box, which OpenJPEG takes for a
  /// misplaced one, or its name anywhere within a header box, so that no other reading of the lengths in it hides one.
  /// The compressed data, which may contain any bytes, does not count.
  public static func mayHavePalette(_ file: ByteView) -> Bool {
    ISOBoxes(file).contains { box in
      box.has(type: "pclr") || box.has(type: "jp2h") && box.contents.contains("pclr")
    }
  }

  /// Checks one tile-part and sets `damage` if it is damaged.
  /// - Returns: The end offset of the tile-part, or nil if it is the last one or damaged.
  private mutating func tilePart(_ stream: ByteView, at start: Int) -> Int? {
    guard let length = stream.number(at: start + 6, size: 4) else {
      damage = .truncated(.jpeg2000)
      return nil
    }
    // The last tile-part may have length 0, which means up to the end of the code stream.
    let end = length == 0 ? stream.count : start + length
    guard end <= stream.count else {
      damage = .truncated(.jpeg2000)
      return nil
    }
    var offset = start
    while let marker = stream.number(at: offset, size: 2), marker != Marker.data {
      guard marker > 0xff00, let size = stream.number(at: offset + 2, size: 2), size >= 2,
        offset + 2 + size <= end
      else {
        damage = .damaged(.jpeg2000, "a tile-part without data")
        return nil
      }
      offset += 2 + size
    }
    offset += 2
    while let place = stream.firstIndex(of: 0xff, from: offset), place + 1 < end,
      let marker = stream.number(at: place, size: 2)
    {
      switch marker {
      case Marker.packet: offset = place + 6
      case Marker.packetHeaderEnd: offset = place + 2
      case Marker.end where length == 0: return nil
      case 0xff90...0xffff:
        damage = .damaged(.jpeg2000, "a marker within the compressed data")
        return nil
      default: offset = place + 1
      }
    }
    return length == 0 ? nil : end
  }

  /// Returns the file itself, or the contents of its first code stream box (annex I).
  private static func codeStream(_ file: ByteView) -> ByteView? {
    if file.number(at: 0, size: 2) == Marker.start { return file }
    let stream = ISOBoxes(file).first { $0.has(type: "jp2c") }?.contents
    return stream?.number(at: 0, size: 2) == Marker.start ? stream : nil
  }
}
