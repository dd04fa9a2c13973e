/// A cell that represents a part of a picture: U+10EEEE with a mark for its row and one for its
/// column; its foreground says which picture (kitty, graphics protocol, Unicode placeholders).
enum PlaceholderCell {
  /// Rows and columns that can be numbered.
  static let limit = PlaceholderMarks.all.count

  /// - Parameter number: of the picture, 16...255: as an index of the palette it passes through
  ///   multiplexers whatever they do to colours, and below 16 some write it in another way.
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
  /// Which picture the cell represents a part of; nil if for none.
  var placeholderNumber: UInt8? {
    kind.contains(.placeholder) ? UInt8(truncatingIfNeeded: foreground.bits) : nil
  }
}
