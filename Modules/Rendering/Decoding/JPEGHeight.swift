import Models
public import Rendering

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

  /// Calls `body` with a source whose frame header states the height.
  public static func complete<Result>(
    _ source: ImageSource, _ body: (ImageSource) throws(RenderError) -> Result
  ) throws(RenderError) -> Result {
    guard source.format == .jpeg, let bytes = completed(ByteView(source.bytes)) else {
      return try body(source)
    }
    return try bytes.withUnsafeBufferPointer { (buffer) throws(RenderError) -> Result in
      try body(source.replacing(UnsafeRawBufferPointer(buffer)))
    }
  }
}
