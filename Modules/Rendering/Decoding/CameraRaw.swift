/// A camera raw file in the form of a TIFF: DNG, CR2, NEF, ARW and others (TIFF/EP; DNG 1.6). Its first page is a small
/// preview, or the pixels of the sensor, which are a picture only after much computation. Cameras add JPEG previews, one
/// of which is often as large as the picture.
public struct CameraRaw {
  /// A JPEG in the file.
  public struct Preview: Sendable {
    public let range: Range<Int>
    /// The stored size.
    public let size: PixelSize
    /// The transformation that turns the preview upright, if its own metadata do not state one; otherwise upright.
    public let orientation: Orientation
  }

  /// The JPEG previews, the largest first.
  public let previews: [Preview]
  /// Whether the first page is a preview, too.
  public let hasReducedPage: Bool

  private enum Tag {
    static let subfileType = 254
    static let compression = 259
    static let photometric = 262
    static let stripOffsets = 273
    static let orientation = 274
    static let stripCounts = 279
    static let jpegOffset = 513
    static let jpegCount = 514
    static let dngVersion = 50_706
  }

  /// The pixels of a sensor with its colour filters, and those with a colour for each place that are not yet developed.
  private static let sensorMeanings = [32_803, 34_892]
  private static let jpegCompressions = [6, 7]
  private static let maximumPages = 8

  /// - Returns: nil for any other file.
  public init?(_ file: ByteView) {
    guard let first = TIFFDirectory(file, page: 0) else { return nil }
    let own = [first] + first.subdirectories
    let isCR2 = file.starts(with: "CR\u{2}", at: 8)
    guard isCR2 || first.has(Tag.dngVersion) || own.contains(where: Self.isOfSensor) else {
      return nil
    }
    let further = (1..<Self.maximumPages).compactMap { TIFFDirectory(file, page: $0) }
    let orientation = first.numbers(Tag.orientation).first.flatMap { UInt8(exactly: $0) }
      .flatMap { Orientation(rawValue: $0) }
    let previews = (own + further.flatMap { [$0] + $0.subdirectories }).compactMap { directory in
      Self.jpeg(directory, file).flatMap { Self.preview(file, $0, orientation ?? .upright) }
    }
    self.previews = previews.sorted {
      $0.size.width * $0.size.height > $1.size.width * $1.size.height
    }
    let isReduced = first.numbers(Tag.subfileType).first.map { $0 & 1 != 0 } ?? false
    hasReducedPage = isReduced && !Self.isOfSensor(first)
  }

  private static func isOfSensor(_ directory: TIFFDirectory) -> Bool {
    directory.numbers(Tag.photometric).first.map(sensorMeanings.contains) ?? false
  }

  /// Returns the bytes of the JPEG that is the only strip of a directory, or to which its tags for old-style JPEG lead.
  private static func jpeg(_ directory: TIFFDirectory, _ file: ByteView) -> Range<Int>? {
    guard !isOfSensor(directory) else { return nil }
    let isJPEG = directory.numbers(Tag.compression).first.map(jpegCompressions.contains) ?? false
    let strips = (directory.numbers(Tag.stripOffsets), directory.numbers(Tag.stripCounts))
    let places =
      isJPEG && strips.0.count == 1
      ? strips : (directory.numbers(Tag.jpegOffset), directory.numbers(Tag.jpegCount))
    guard places.0.count == 1, places.1.count == 1, let start = places.0.first,
      let count = places.1.first, start <= file.count, count <= file.count - start
    else { return nil }
    return start..<(start + count)
  }

  /// Reads the header of a JPEG. The data of a sensor may be a lossless JPEG, or have more than 8 bits, which is no
  /// preview.
  private static func preview(
    _ file: ByteView, _ range: Range<Int>, _ orientation: Orientation
  ) -> Preview? {
    let jpeg = file.slice(range.lowerBound, range.count)
    guard jpeg.number(at: 0, size: 2) == 0xffd8 else { return nil }
    var (offset, own) = (2, Orientation?.none)
    while let marker = jpeg.number(at: offset, size: 2), marker >= 0xff00,
      let length = jpeg.number(at: offset + 2, size: 2), length >= 2
    {
      switch marker {
      case 0xffc0...0xffc2:
        guard jpeg.byte(offset + 4) == 8, let height = jpeg.number(at: offset + 5, size: 2),
          let width = jpeg.number(at: offset + 7, size: 2), width > 0, height > 0
        else { return nil }
        return Preview(
          range: range, size: PixelSize(width: width, height: height),
          orientation: own == nil ? orientation : .upright)
      case 0xffc3, 0xffc5...0xffc7, 0xffc9...0xffcb, 0xffcd...0xffcf, 0xffda: return nil
      case 0xffe1 where jpeg.starts(with: "Exif\0\0", at: offset + 4):
        own = own ?? EXIF.orientation(jpeg.slice(offset + 10, length - 8))
      default: break
      }
      offset += 2 + length
    }
    return nil
  }
}
