/// A painter that replaces images by characters in ordinary cells, which the cell diff treats like text.
struct SymbolPainter: ImagePainter {
  /// The identity of an image in one size, without its pixels, so that the cache does not keep them.
  private struct Key: Hashable {
    let image: Image.ID
    let size: Size
    let source: PixelRect
  }

  private struct Entry {
    let cells: ContiguousArray<Cell>
    var lastUse: Int
  }

  /// The number of screenfuls in the cache, enough for all slices of a typical series.
  private static let screens = 200
  /// The largest number of cached cells of 16 bytes: 200 screens of 200 × 60.
  private static let maximumLimit = 2_400_000

  private let symbols: SymbolCells
  private var entries: [Key: Entry] = [:]
  /// The number of cells in all entries.
  private(set) var total = 0
  private var limit = 0
  private var clock = 0

  init(_ capabilities: Capabilities) { symbols = SymbolCells(capabilities) }

  mutating func prepare(_ buffer: inout CellBuffer, budget: Int, _ output: inout Output) {
    limit = min(Self.maximumLimit, Self.screens * buffer.cells.count)
    for (number, placement) in buffer.placements.enumerated() {
      // A placement with over four times the cells of the screen is cropped to the screen first.
      let whole = placement.rect
      guard whole.columns * whole.rows > 4 * buffer.cells.count else {
        draw(placement.image, placement.source, whole, UInt32(number), &buffer)
        continue
      }
      let shown = whole.intersection(buffer.bounds)
      if let part = ImageFragment(placement, showing: shown) {
        draw(part.image, part.source, part.rect, UInt32(number), &buffer)
      }
    }
  }

  private mutating func draw(
    _ image: Image, _ source: PixelRect, _ rect: Rect, _ number: UInt32,
    _ buffer: inout CellBuffer
  ) {
    let area = rect.intersection(buffer.bounds)
    guard !area.isEmpty else { return }
    let cells = cells(image, Key(image: image.id, size: rect.size, source: source))
    for row in area.row..<area.endRow {
      for column in area.column..<area.endColumn {
        let index = row &* buffer.width &+ column
        let cell = buffer.cells[index]
        guard cell.kind.contains(.image), cell.content == number else { continue }
        buffer.cells[index] =
          cells.map { $0[(row &- rect.row) &* rect.columns &+ column &- rect.column] } ?? .blank
      }
    }
  }

  private mutating func cells(_ image: Image, _ key: Key) -> ContiguousArray<Cell>? {
    clock += 1
    if let known = entries[key]?.cells {
      entries[key]?.lastUse = clock
      return known
    }
    guard let cells = symbols.cells(image, key.source, key.size) else { return nil }
    entries[key] = Entry(cells: cells, lastUse: clock)
    total += cells.count
    while total > limit, entries.count > 1,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      total -= oldest.value.cells.count
      entries[oldest.key] = nil
    }
    return cells
  }

  /// Discards all converted images, which are useless after the screen has changed its size.
  mutating func screenWasErased(_ output: inout Output) {
    entries = [:]
    total = 0
  }
}
