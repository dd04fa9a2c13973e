/// An encoder of image fragments into bytes that draw them with the top left corner at the cursor.
protocol InlineEncoder {
  /// The largest number of cells of a fragment in each direction; nil means no limit.
  var maximumSize: Size? { get }

  /// Encodes a fragment.
  /// - Parameter endsScreen: Whether the fragment reaches the last row of the screen, where drawing an image
  ///   may scroll the screen.
  /// - Returns: The bytes, or nil if the fragment cannot be drawn and its cells stay blank.
  func encode(_ fragment: ImageFragment, endsScreen: Bool) -> [UInt8]?
}

extension InlineEncoder {
  var maximumSize: Size? { nil }
}

/// A painter for images that are drawn onto the screen like text and remain until they are overwritten: those
/// of iTerm2 and of sixel.
struct InlinePainter<Encoder: InlineEncoder>: ImagePainter {
  private let encoder: Encoder
  /// The fragments that are on the screen.
  private var painted: Set<ImageFragment> = []
  private var encoded = EncodedImages()
  private(set) var needsAnotherFrame = false

  init(_ encoder: Encoder) { self.encoder = encoder }

  mutating func paint(_ buffer: CellBuffer, budget: Int, _ output: inout Output) {
    let start = output.count
    var wanted = ImageFragment.visible(in: buffer)
    if let limit = encoder.maximumSize { wanted = wanted.flatMap { $0.divided(into: limit) } }
    var kept: Set<ImageFragment> = []
    needsAnotherFrame = false
    for fragment in wanted {
      if painted.contains(fragment) {
        kept.insert(fragment)
      } else if kept.count == painted.count || output.count - start < budget {
        // At least one fragment is painted per frame, whatever its size.
        paint(fragment, endsScreen: fragment.rect.endRow >= buffer.height, &output)
        kept.insert(fragment)
      } else {
        needsAnotherFrame = true
      }
    }
    painted = kept
  }

  private mutating func paint(
    _ fragment: ImageFragment, endsScreen: Bool, _ output: inout Output
  ) {
    let rect = fragment.rect
    // Sixels may end above the bottom of the last row, which is therefore erased first (ECH).
    output.move(to: rect.column, rect.endRow - 1)
    output.append("\u{1b}[")
    output.append(number: rect.columns)
    output.append(0x58)
    guard let bytes = encoded.bytes(for: fragment, endsScreen, encoder.encode) else { return }
    output.move(to: rect.column, rect.row)
    output.append(bytes)
  }

  /// Discards painted and encoded images, which are useless after the screen has changed its size.
  mutating func screenWasErased(_ output: inout Output) {
    painted = []
    encoded = EncodedImages()
  }
}

/// A cache of encoded images with least-recently-used eviction.
struct EncodedImages {
  /// The identity of an encoded image, without its pixels, so that the cache does not keep them in memory.
  private struct Key: Hashable {
    let image: Image.ID
    let size: Size
    let source: PixelRect
    let endsScreen: Bool
  }

  private struct Entry {
    let bytes: [UInt8]
    var lastUse: Int
  }

  /// The limit in bytes, enough for some hundred slices of a series.
  private static let limit = 64 << 20

  private var entries: [Key: Entry] = [:]
  private var total = 0
  private var clock = 0

  mutating func bytes(
    for fragment: ImageFragment, _ endsScreen: Bool,
    _ encode: (ImageFragment, Bool) -> [UInt8]?
  ) -> [UInt8]? {
    let key = Key(
      image: fragment.image.id, size: fragment.rect.size, source: fragment.source,
      endsScreen: endsScreen)
    clock += 1
    if let known = entries[key]?.bytes {
      entries[key]?.lastUse = clock
      return known
    }
    guard let bytes = encode(fragment, endsScreen) else { return nil }
    entries[key] = Entry(bytes: bytes, lastUse: clock)
    total += bytes.count
    while total > Self.limit, entries.count > 1,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      total -= oldest.value.bytes.count
      entries[oldest.key] = nil
    }
    return bytes
  }
}
