import Models
public import Rendering

/// A check that the scans of a JPEG contain the coefficients of each component (ITU-T T.81, annexes B.2 and
/// G.1). A file that lacks whole scans decodes without an error, to grey or to blocks of 8 × 8 pixels.
public struct JPEGScans {
  /// The damage if scans are missing; nil for a complete image and for a broken structure, which the decoder
  /// reports in more detail.
  public private(set) var damage: RenderError?
  /// Whether each coefficient of a progressive image that a scan contains is there with all of its bits.
  public private(set) var isFullyRefined = true

  private enum Code {
    static let endOfImage = 0xd9
    static let startOfScan = 0xda
    static let progressiveFrames = [0xc2, 0xca]
    static let frames = [0xc0, 0xc1, 0xc2, 0xc9, 0xca]
  }

  /// Parses a file, which may be malformed. A sequential image is parsed only up to the scan that completes
  /// its components.
  public init(_ file: ByteView) {
    var components: [UInt8] = []
    var isProgressive = false
    // A bit mask of the coefficients that the scans contain, for each component.
    var coefficients: [UInt8: UInt64] = [:]
    // The coefficients whose lowest bits are still missing.
    var coarse: [UInt8: UInt64] = [:]
    defer { isFullyRefined = coarse.values.allSatisfy { $0 == 0 } }
    var markers = JPEGMarkerWalk(file)
    while let marker = markers.next() {
      if Code.frames.contains(marker.code) {
        guard components.isEmpty else { return }
        isProgressive = Code.progressiveFrames.contains(marker.code)
        let count = Int(marker.body.byte(5) ?? 0)
        components = (0..<count).compactMap { marker.body.byte(6 + $0 * 3) }
      } else if marker.code == Code.startOfScan {
        let count = Int(marker.body.byte(0) ?? 0)
        guard let first = marker.body.byte(1 + count * 2),
          let last = marker.body.byte(2 + count * 2)
        else { return }
        let band = isProgressive ? Self.band(first, last) : .max
        for index in 0..<count {
          guard let component = marker.body.byte(1 + index * 2) else { return }
          coefficients[component, default: 0] |= band
          guard isProgressive, let shift = marker.body.byte(3 + count * 2) else { continue }
          coarse[component, default: 0] &= ~band
          if shift & 15 > 0 { coarse[component, default: 0] |= band }
        }
        if !isProgressive, components.allSatisfy({ coefficients[$0] != nil }) { return }
      } else if marker.code == Code.endOfImage {
        judge(components, coefficients)
        return
      }
    }
  }

  /// Returns a mask with the bits of the coefficients `first` to `last`, or 0 if the range is invalid.
  private static func band(_ first: UInt8, _ last: UInt8) -> UInt64 {
    guard first <= last, last < 64 else { return 0 }
    return (UInt64.max >> UInt64(63 - last)) & (UInt64.max << UInt64(first))
  }

  /// Sets `damage` unless each component has its DC coefficient and the first one, the luminance, has all
  /// coefficients.
  private mutating func judge(_ components: [UInt8], _ coefficients: [UInt8: UInt64]) {
    let isComplete =
      components.allSatisfy { (coefficients[$0] ?? 0) & 1 != 0 }
      && components.first.map { coefficients[$0] == .max } ?? true
    if !isComplete {
      damage = RenderError(
        .damaged, "the JPEG file is damaged: scans with most of the image are missing")
    }
  }
}

/// An iterator over the segments and scan headers of a JPEG.
struct JPEGMarkerWalk {
  struct Marker {
    let code: Int
    /// The bytes of the segment after its length field; empty for a marker without a segment.
    let body: ByteView
  }

  private let file: ByteView
  private var offset = 2
  /// Whether the iteration has ended at a segment with an invalid length.
  private(set) var isBroken = false

  init(_ file: ByteView) { self.file = file }

  /// Returns the next marker, or nil at the end of the file or at an invalid length.
  mutating func next() -> Marker? {
    while let start = file.firstIndex(of: 0xff, from: offset) {
      offset = start + 1
      while file.byte(offset) == 0xff { offset += 1 }
      guard let code = file.byte(offset) else { return nil }
      offset += 1
      switch code {
      // A stuffed byte of entropy-coded data, or a marker without a segment, such as a restart marker.
      case 0, 0x01, 0xd0...0xd8: continue
      case 0xd9: return Marker(code: Int(code), body: file.slice(offset, 0))
      default:
        guard let length = file.number(at: offset, size: 2) else { return nil }
        guard length >= 2 else {
          isBroken = true
          return nil
        }
        let body = file.slice(offset + 2, length - 2)
        offset += length
        return Marker(code: Int(code), body: body)
      }
    }
    return nil
  }
}
