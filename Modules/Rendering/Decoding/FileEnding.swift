import Models
public import Rendering

/// A file that lacks nothing but the mark of its end, as cameras and programs leave it that stopped too early. Decoders
/// report it as truncated, although all pixels are there.
public struct FileEnding {
  /// The file with the mark.
  public let bytes: [UInt8]
  /// The remark about the missing mark, as a clause for users.
  public let remark: String

  /// - Returns: nil if the file has its mark, or lacks anything else.
  public init?(_ source: ImageSource) {
    let file = ByteView(source.bytes)
    switch source.format {
    case .jpeg:
      guard !TruncationCheck.isWholeJPEG(file), JPEGSurvey.isPossible else { return nil }
      bytes = file.array + [0xff, 0xd9]
      remark = "the JPEG file has no end marker, but all of its pixels"
      let isComplete = bytes.withUnsafeBytes {
        JPEGScans(ByteView($0)).isFullyRefined && JPEGSurvey.damage($0) == nil
      }
      guard isComplete else { return nil }
    case .png:
      guard let length = Self.lengthOfCompleteChunks(file) else { return nil }
      bytes = file.slice(0, length).array + Self.endOfPNG
      remark = "the PNG file has no end chunk, but all of its pixels"
    case .gif:
      guard GIFStructure(file).lacksOnlyTrailer else { return nil }
      bytes = file.array + [0x3b]
      remark = "the GIF file has no trailer, but all of its pixels"
    default: return nil
    }
  }

  /// Calls `body` with the source of the completed file.
  public func withSource<Result>(
    like source: ImageSource, _ body: (ImageSource) throws(RenderError) -> Result
  ) throws(RenderError) -> Result {
    try bytes.withUnsafeBufferPointer { (buffer) throws(RenderError) -> Result in
      try body(source.replacing(UnsafeRawBufferPointer(buffer)))
    }
  }

  /// An empty chunk `IEND` and its checksum.
  public static let endOfPNG: [UInt8] =
    [0, 0, 0, 0] + Array("IEND".utf8) + [0xae, 0x42, 0x60, 0x82]

  /// Returns the end offset of the last complete chunk of a PNG without an end chunk; nil if the file has an end chunk,
  /// or ends within the pixels. Only a decoder finds out whether the pixels are complete.
  private static func lengthOfCompleteChunks(_ file: ByteView) -> Int? {
    var offset = 8
    var hasPixels = false
    while offset < file.count {
      let isPixels = file.starts(with: "IDAT", at: offset + 4)
      guard let length = file.number(at: offset, size: 4), length <= file.count - offset - 12 else {
        return isPixels || !hasPixels ? nil : offset
      }
      if file.starts(with: "IEND", at: offset + 4) { return nil }
      hasPixels = hasPixels || isPixels
      offset += length + 12
    }
    return hasPixels ? offset : nil
  }
}

extension ImageSource {
  /// Returns the source with other bytes.
  public func replacing(_ bytes: UnsafeRawBufferPointer) -> ImageSource {
    ImageSource(
      bytes: bytes, format: format, limits: limits, password: password,
      keepsStoredColors: keepsStoredColors)
  }
}
