import CChafa

/// Sixel (DEC STD 070): at most 256 colours that libchafa chooses for each picture.
struct SixelEncoder: InlineEncoder {
  private let cell: PixelSize
  private let background: UInt32

  init(_ capabilities: Capabilities) {
    cell = capabilities.cellPixels
    background = SymbolCells.packed(capabilities.background)
    chafa_set_n_threads(1)
  }

  func encode(_ fragment: PictureFragment) -> [UInt8]? {
    ChafaPixels.with(fragment.picture, fragment.source) { pixels -> [UInt8]? in
      var length = 0
      guard
        let text = imgdl_chafa_sixel(
          pixels.start, pixels.width, pixels.height, pixels.rowBytes, pixels.channels,
          Int32(fragment.rect.columns), Int32(fragment.rect.rows), Int32(cell.width),
          Int32(cell.height), background, &length)
      else { return nil }
      defer { g_free(text) }
      return [UInt8](UnsafeRawBufferPointer(start: text, count: length))
    }
  }
}
