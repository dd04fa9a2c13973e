/// Joins strips of a JPEG to one image without decoding them. Pure.
///
/// Each strip is a baseline JPEG with the width of the image and one component per 8 × 8 block and colour. The
/// joined image has their entropy-coded data one after the other as restart intervals (ITU-T T.81, B.2.1 and
/// E.1.4): the predictions of a strip begin at zero, as those after a restart marker do. The bytes come from an
/// untrusted worker, so every marker is checked.
public struct StripJoiner: Sendable {
  private let width: Int
  private let height: Int
  private let stripHeight: Int
  /// The segments before the scan, with a height of zero; empty before the first strip.
  private var header: [UInt8] = []
  private var stripCount = 0
  /// The number of pixel rows joined so far.
  public private(set) var joinedHeight = 0

  public struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String
  }

  /// - Parameters:
  ///   - width: The width of the image in pixels, at most 65,535.
  ///   - height: The height of the image in pixels, at most 65,535.
  ///   - stripHeight: The height of every strip but the last one, from `TileRow.stripHeight(width:rowHeight:)`.
  public init(width: Int, height: Int, stripHeight: Int) {
    self.width = width
    self.height = height
    self.stripHeight = stripHeight
  }

  /// Appends the next strip.
  /// - Returns: The bytes with which the joined image continues.
  public mutating func append(_ strip: [UInt8]) throws(Problem) -> [UInt8] {
    let expected = min(stripHeight, height - joinedHeight)
    guard expected > 0 else { throw Problem(description: "more strips than the image has") }
    let parts = try Parts(strip, width: width, height: expected)
    var output: [UInt8] = []
    output.reserveCapacity(strip.count + 16)
    if stripCount == 0 {
      header = parts.header
      output += parts.header(forHeight: height)
      output += parts.restartInterval(blocks: (width + 7) / 8 * (stripHeight / 8))
      output += parts.scanHeader
    } else {
      guard parts.header == header else {
        throw Problem(description: "a strip with other tables than the first one")
      }
      output += [0xff, 0xd0 + UInt8((stripCount - 1) % 8)]
    }
    output += parts.scan
    stripCount += 1
    joinedHeight += expected
    return output
  }

  /// Ends the image.
  /// - Returns: The last bytes of the joined image.
  public func finish() throws(Problem) -> [UInt8] {
    guard joinedHeight == height, stripCount > 0 else {
      throw Problem(description: "strips for only \(joinedHeight) of \(height) pixel rows")
    }
    return [0xff, 0xd9]
  }
}

/// The parts of a strip.
private struct Parts {
  /// Everything before the scan header, with a height of zero.
  private(set) var header: [UInt8] = []
  private(set) var scanHeader: ArraySlice<UInt8> = []
  /// The entropy-coded data.
  private(set) var scan: ArraySlice<UInt8> = []
  /// The index of the two bytes of the height in `header`.
  private var heightIndex: Int?

  private static let maximumSegments = 64

  init(_ bytes: [UInt8], width: Int, height: Int) throws(StripJoiner.Problem) {
    guard bytes.starts(with: [0xff, 0xd8]) else { throw .malformed("no JPEG") }
    var position = 2
    for _ in 0..<Self.maximumSegments {
      guard position + 4 <= bytes.count, bytes[position] == 0xff else {
        throw .malformed("a missing marker")
      }
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      let end = position + 2 + length
      guard length >= 2, end <= bytes.count else { throw .malformed("an incomplete segment") }
      switch bytes[position + 1] {
      case 0xc0:
        try checkFrame(bytes[(position + 4)..<end], width: width, height: height)
        heightIndex = position + 5
      // Huffman and quantization tables and application data.
      case 0xc4, 0xdb, 0xe0...0xef: break
      case 0xda:
        guard let heightIndex else { throw .malformed("no frame header") }
        header = Array(bytes[..<position])
        header[heightIndex] = 0
        header[heightIndex + 1] = 0
        scanHeader = bytes[position..<end]
        try readScan(bytes[end...])
        return
      case let marker: throw .malformed("the marker \(String(marker, radix: 16))")
      }
      position = end
    }
    throw .malformed("too many segments")
  }

  /// Checks a frame header (B.2.2): 8 bits, three components without subsampling.
  private func checkFrame(
    _ frame: ArraySlice<UInt8>, width: Int, height: Int
  ) throws(StripJoiner.Problem) {
    let frame = Array(frame)
    guard heightIndex == nil, frame.count == 15, frame[0] == 8, frame[5] == 3,
      frame[7] == 0x11, frame[10] == 0x11, frame[13] == 0x11
    else { throw .malformed("a frame of another kind") }
    let stated = (Int(frame[3]) << 8 | Int(frame[4]), Int(frame[1]) << 8 | Int(frame[2]))
    guard stated == (width, height) else {
      throw .malformed("\(stated.0) × \(stated.1) pixels instead of \(width) × \(height)")
    }
  }

  /// Takes the entropy-coded data, which must end with the end of the image and contain no other marker.
  private mutating func readScan(_ bytes: ArraySlice<UInt8>) throws(StripJoiner.Problem) {
    guard bytes.count > 2, bytes.suffix(2).elementsEqual([0xff, 0xd9]) else {
      throw .malformed("no end of the image")
    }
    scan = bytes.dropLast(2)
    let hasMarker = scan.withUnsafeBufferPointer { scan in
      scan.indices.contains { index in
        scan[index] == 0xff && (index + 1 == scan.count || scan[index + 1] != 0)
      }
    }
    if hasMarker { throw .malformed("a marker inside the scan") }
  }

  /// Returns the header of the joined image.
  func header(forHeight height: Int) -> [UInt8] {
    guard let heightIndex else { return header }
    var header = header
    header[heightIndex] = UInt8(truncatingIfNeeded: height >> 8)
    header[heightIndex + 1] = UInt8(truncatingIfNeeded: height)
    return header
  }

  func restartInterval(blocks: Int) -> [UInt8] {
    [0xff, 0xdd, 0, 4, UInt8(truncatingIfNeeded: blocks >> 8), UInt8(truncatingIfNeeded: blocks)]
  }
}

extension StripJoiner.Problem {
  fileprivate static func malformed(_ detail: String) -> StripJoiner.Problem {
    StripJoiner.Problem(description: "a strip is malformed: \(detail)")
  }
}
