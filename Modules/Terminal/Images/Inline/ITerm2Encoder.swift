/// An encoder for OSC 1337 File: a whole PNG file in one sequence (iTerm2, inline images protocol).
struct ITerm2Encoder: InlineEncoder {
  private let cell: PixelSize

  init(_ capabilities: Capabilities) { cell = capabilities.cellPixels }

  func encode(_ fragment: ImageFragment, endsScreen: Bool) -> [UInt8]? {
    let rect = fragment.rect
    let (size, pixels) = PixelScaler.cut(
      fragment.image, fragment.source,
      limit: PixelSize(rect.columns * cell.width, rect.rows * cell.height))
    guard let file = PNG.encode(pixels, size, fragment.image.format) else { return nil }
    var output = Output()
    output.reserve(file.count / 3 * 4 + 200)
    output.append("\u{1b}]1337;File=inline=1;width=")
    output.append(number: rect.columns)
    output.append(";height=")
    output.append(number: rect.rows)
    output.append(";preserveAspectRatio=0;doNotMoveCursor=1;size=")
    output.append(number: file.count)
    output.append(0x3a)
    Base64.encode(file[...], &output)
    output.append(0x07)
    return output.bytes
  }
}
