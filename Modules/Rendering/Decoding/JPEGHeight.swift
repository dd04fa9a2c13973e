/// The height of a JPEG whose frame header leaves it to the marker DNL behind the first scan (ITU-T T.81, B.2.5), which
/// libjpeg does not read.
public enum JPEGHeight {
  /// Returns the file with the height in its frame header; nil for a file that has it there, or does not state it.
  public static func completed(_ file: ByteView) -> [UInt8]? {
    var frame: Int?
    var markers = JPEGMarkerWalk(file)
    while let marker = markers.next() {
      switch marker.code {
      case 0xc4, 0xc8, 0xcc: continue
      case 0xc0...0xcf:
        guard frame == nil, marker.body.number(at: 1, size: 2) == 0 else { return nil }
        frame = file.offset(of: marker.body)
      case 0xda where frame == nil, 0xd9: return nil
      case 0xdc:
        guard let frame, let high = marker.body.byte(0), let low = marker.body.byte(1),
          high | low > 0
        else { return nil }
        var bytes = file.array
        (bytes[frame + 1], bytes[frame + 2]) = (high, low)
        return bytes
      default: continue
      }
    }
    return nil
  }
}
