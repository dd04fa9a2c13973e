/// A cell that shows a part of an image: U+10EEEE with one mark for the row and one for the column in the
/// image. The foreground colour is the number of the image (kitty, graphics protocol, Unicode placeholders).
enum PlaceholderCell {
  /// The largest number of rows or columns that the marks can express.
  static let limit = PlaceholderMarks.all.count

  /// - Parameter number: The number of the image, 16...255. As a palette index, the number survives
  ///   multiplexers that convert colours; some of them rewrite the indexes below 16.
  static func cell(row: Int, column: Int, number: UInt8) -> Cell {
    Cell(
      content: UInt32(truncatingIfNeeded: row) << 16 | UInt32(truncatingIfNeeded: column),
      kind: [.narrow, .placeholder], style: Style(.palette(number)))
  }

  static func write(_ content: UInt32, _ output: inout Output) {
    let row = Int(content >> 16)
    let column = Int(content & 0xffff)
    guard row < limit, column < limit else { return output.append(0x20) }
    output.append(scalar: 0x10_eeee)
    output.append(scalar: PlaceholderMarks.all[row])
    output.append(scalar: PlaceholderMarks.all[column])
  }
}

extension Cell {
  /// The number of the image that the cell shows a part of, or nil.
  var placeholderNumber: UInt8? {
    kind.contains(.placeholder) ? UInt8(truncatingIfNeeded: foreground.bits) : nil
  }
}
