import CChafa
import CTerminal

/// A converter of images to characters: block characters in two colours on true-colour terminals, libchafa's
/// symbols on others.
struct SymbolCells {
  private let mode: ChafaCanvasMode
  private let ascii: Bool
  private let cell: PixelSize
  private let background: UInt32

  init(_ capabilities: Capabilities) {
    ascii = capabilities.images == .ascii
    mode =
      switch capabilities.colours {
      case .trueColour: CHAFA_CANVAS_MODE_TRUECOLOR
      case .palette256: CHAFA_CANVAS_MODE_INDEXED_240
      case .ansi16: CHAFA_CANVAS_MODE_INDEXED_16
      case .none: CHAFA_CANVAS_MODE_FGBG
      }
    cell = capabilities.cellPixels
    background = Self.packed(capabilities.background)
  }

  static func packed(_ colour: Colour) -> UInt32 {
    guard let (red, green, blue) = colour.components else { return 0 }
    return UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }

  /// Returns the cells row by row, or nil if memory is exhausted or libchafa is needed and cannot be opened.
  func cells(_ image: Image, _ source: PixelRect, _ size: Size) -> ContiguousArray<Cell>? {
    mode == CHAFA_CANVAS_MODE_TRUECOLOR && !ascii
      ? blocks(image, source, size) : symbols(image, source, size)
  }

  private func blocks(
    _ image: Image, _ source: PixelRect, _ size: Size
  ) -> ContiguousArray<Cell>? {
    let channels = image.format.rawValue
    let rowBytes = image.size.width * channels
    var blocks = [imgdl_block](repeating: imgdl_block(), count: size.columns * size.rows)
    let code = image.pixels.withUnsafeBufferPointer { pixels -> Int32 in
      guard let base = pixels.baseAddress else { return -1 }
      return imgdl_blocks(
        base + source.y * rowBytes + source.x * channels, Int32(source.width),
        Int32(source.height), Int32(rowBytes), Int32(channels), Int32(size.columns),
        Int32(size.rows), background, &blocks)
    }
    guard code == 0 else { return nil }
    var cells = ContiguousArray<Cell>()
    cells.reserveCapacity(blocks.count)
    for block in blocks {
      let style = Style(colour(block.foreground), on: colour(block.background))
      cells.append(Cell(content: block.character, kind: .narrow, style: style))
    }
    return cells
  }

  private func symbols(
    _ image: Image, _ source: PixelRect, _ size: Size
  ) -> ContiguousArray<Cell>? {
    guard let chafa = ChafaLibrary.functions else { return nil }
    let count = size.columns * size.rows
    var characters = [UInt32](repeating: 0x20, count: count)
    var foregrounds = [Int32](repeating: -1, count: count)
    var backgrounds = [Int32](repeating: -1, count: count)
    let code = ChafaPixels.with(image, source) { pixels in
      imgdl_chafa_symbols(
        chafa, pixels.start, pixels.width, pixels.height, pixels.rowBytes, pixels.channels,
        Int32(size.columns), Int32(size.rows), Int32(cell.width), Int32(cell.height), background,
        mode, ascii ? 1 : 0, &characters, &foregrounds, &backgrounds)
    }
    guard code == 0 else { return nil }
    return ContiguousArray(
      (0..<count).map { index in
        let style = Style(colour(foregrounds[index]), on: colour(backgrounds[index]))
        return Cell(content: characters[index], kind: .narrow, style: style)
      })
  }

  private func colour(_ value: Int32) -> Colour {
    guard value >= 0 else { return .default }
    switch mode {
    case CHAFA_CANVAS_MODE_TRUECOLOR: return .rgb(UInt32(value))
    case CHAFA_CANVAS_MODE_FGBG: return .default
    default: return .palette(UInt8(clamping: value))
    }
  }
}
