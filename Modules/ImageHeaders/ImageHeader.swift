public import Models

/// Finds the dimensions of an image in the first bytes of its file, while the file is received.
///
/// A pure machine for foreign bytes: memory is bounded by `maximumBufferedBytes`, and a file is given up after
/// `maximumBytes`. JPEG, PNG, GIF, WebP, BMP, HEIF, AVIF and JPEG XL are recognised. The orientation is respected
/// as by the decoders; a file that may state it after the pixels is unknown.
public struct ImageHeader: Sendable {
  public enum State: Sendable, Equatable {
    case needsMore
    case dimensions(ImageDimensions)
    /// The dimensions cannot be told from the first bytes.
    case unknown
  }

  /// The maximum number of bytes that are kept at a time.
  public static let maximumBufferedBytes = 64 << 10
  /// The number of bytes after which a file is given up.
  public static let maximumBytes = 1 << 20

  public private(set) var state = State.needsMore
  private var parser: any HeaderParser = FormatRecognition()
  /// The bytes that the parser has requested.
  private var buffer: [UInt8] = []
  private var needed = FormatRecognition.length
  /// The number of bytes to skip before the next bytes are kept.
  private var skipped = 0
  private var position = 0

  /// The maximum width and height in pixels; the dimensions of a larger image are unknown.
  private let maximumSide: Int

  public init(maximumSide: Int = .max) { self.maximumSide = maximumSide }

  /// Examines the next bytes of the file.
  public mutating func append(_ bytes: RawSpan) {
    var offset = 0
    while state == .needsMore, offset < bytes.byteCount {
      let rest = bytes.byteCount - offset
      if skipped > 0 {
        let count = min(skipped, rest)
        skipped -= count
        offset += count
        position += count
      } else {
        let count = min(needed - buffer.count, rest)
        bytes.extracting(offset..<offset + count).withUnsafeBytes {
          buffer.append(contentsOf: $0)
        }
        offset += count
        position += count
        if buffer.count == needed { advance() }
      }
      if state == .needsMore, position >= Self.maximumBytes { state = .unknown }
    }
    if state != .needsMore { buffer = [] }
  }

  /// Lets parsers examine the buffer until one of them needs further bytes.
  private mutating func advance() {
    while true {
      switch parser.parse(buffer) {
      case .need(let count):
        // A parser that requests what it has already been given has failed.
        guard count > buffer.count, count <= Self.maximumBufferedBytes else {
          state = .unknown
          return
        }
        needed = count
        return
      case .skip(let count, then: let next):
        guard count > 0, count <= Self.maximumBytes, next > 0 else {
          state = .unknown
          return
        }
        skipped = max(0, count - buffer.count)
        buffer.removeFirst(min(count, buffer.count))
        needed = next
        if buffer.count < needed { return }
      case .parse(let next): parser = next
      case .found(let dimensions):
        state =
          dimensions.flatMap {
            max($0.width, $0.height) <= maximumSide ? .dimensions($0) : nil
          } ?? .unknown
        return
      }
    }
  }
}

/// The next step of a parser, which is given a prefix of the part of a file that it examines.
enum HeaderStep {
  /// The parser needs so many bytes from the beginning of the part.
  case need(Int)
  /// A new part begins after so many bytes of this one; the parser needs at least `then` bytes of it.
  case skip(Int, then: Int)
  /// Another parser examines the same bytes.
  case parse(any HeaderParser)
  /// The end; nil if the dimensions are unknown.
  case found(ImageDimensions?)
}

protocol HeaderParser: Sendable {
  mutating func parse(_ bytes: [UInt8]) -> HeaderStep
}

/// Chooses the parser by the first bytes of the file.
struct FormatRecognition: HeaderParser {
  static let length = 12

  func parse(_ bytes: [UInt8]) -> HeaderStep {
    if bytes.starts(with: [0xff, 0xd8, 0xff]) { return .parse(JPEGHeader()) }
    if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
      return .parse(PNGHeader())
    }
    if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) { return .parse(GIFHeader()) }
    if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) { return .parse(WebPHeader()) }
    if bytes.has("ftyp", at: 4) { return .parse(HEIFHeader()) }
    if bytes.has("JXL ", at: 4) { return .parse(JPEGXLBoxes()) }
    if bytes.starts(with: [0xff, 0x0a]) { return .parse(JPEGXLHeader()) }
    if bytes.has("BM", at: 0) { return .parse(BMPHeader()) }
    return .found(nil)
  }
}

extension [UInt8] {
  func has(_ text: StaticString, at offset: Int) -> Bool {
    let wanted = text.utf8CodeUnitCount
    guard offset >= 0, offset <= count - wanted else { return false }
    return text.withUTF8Buffer { self[offset..<offset + wanted].elementsEqual($0) }
  }

  /// Reads a number of `size` bytes, at most four; nil beyond the end.
  func number(at offset: Int, size: Int, isBigEndian: Bool = true) -> Int? {
    guard offset >= 0, size <= 4, offset <= count - size else { return nil }
    let part = self[offset..<offset + size]
    return isBigEndian
      ? part.reduce(0) { $0 << 8 | Int($1) } : part.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
