/// Makes the bytes that draw a part of a picture with its top left corner at the cursor.
protocol InlineEncoder {
  /// - Parameter endsScreen: whether it reaches the last row of the screen, where a picture may
  ///   scroll everything up.
  /// - Returns: nil when it cannot be drawn: its cells stay blank.
  func encode(_ fragment: PictureFragment, endsScreen: Bool) -> [UInt8]?
}

/// Pictures that are painted onto the screen like text and stay until something is written over
/// them: iTerm2's and sixel.
struct InlinePainter<Encoder: InlineEncoder>: PicturePainter {
  private let encoder: Encoder
  /// What the screen shows.
  private var painted: Set<PictureFragment> = []
  private var encoded = EncodedPictures()
  private(set) var needsAnotherFrame = false

  init(_ encoder: Encoder) { self.encoder = encoder }

  mutating func paint(_ buffer: CellBuffer, budget: Int, _ output: inout Output) {
    let start = output.count
    let wanted = PictureFragment.visible(in: buffer)
    var kept: Set<PictureFragment> = []
    needsAnotherFrame = false
    for fragment in wanted {
      if painted.contains(fragment) {
        kept.insert(fragment)
      } else if kept.count == painted.count || output.count - start < budget {
        // At least one a turn, however long it is.
        paint(fragment, endsScreen: fragment.rect.endRow >= buffer.height, &output)
        kept.insert(fragment)
      } else {
        needsAnotherFrame = true
      }
    }
    painted = kept
  }

  private mutating func paint(
    _ fragment: PictureFragment, endsScreen: Bool, _ output: inout Output
  ) {
    let rect = fragment.rect
    // The last row of sixels need not reach the last row of pixels: nothing old may show there.
    output.move(to: rect.column, rect.endRow - 1)
    output.append("\u{1b}[")
    output.append(number: rect.columns)
    output.append(0x58)
    guard let bytes = encoded.bytes(for: fragment, endsScreen, encoder.encode) else { return }
    output.move(to: rect.column, rect.row)
    output.append(bytes)
  }

  /// Perhaps the screen has another size; pictures have, too, and what was kept is of no use.
  mutating func screenWasErased(_ output: inout Output) {
    painted = []
    encoded = EncodedPictures()
  }
}

/// Pictures in the form in which they are sent, for the next time: least recently used goes first.
struct EncodedPictures {
  /// By the identity of the picture: its pixels need not stay in memory for it.
  private struct Key: Hashable {
    let picture: Picture.ID
    let size: Size
    let source: PixelRect
    let endsScreen: Bool
  }

  private struct Entry {
    let bytes: [UInt8]
    var lastUse: Int
  }

  /// Bytes: some hundred slices of a series.
  private static let limit = 64 << 20

  private var entries: [Key: Entry] = [:]
  private var total = 0
  private var clock = 0

  mutating func bytes(
    for fragment: PictureFragment, _ endsScreen: Bool,
    _ encode: (PictureFragment, Bool) -> [UInt8]?
  ) -> [UInt8]? {
    let key = Key(
      picture: fragment.picture.id, size: fragment.rect.size, source: fragment.source,
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
