import Terminal

/// Where the parts of a screen are. Fits from 40 × 12 up.
struct ScreenLayout: Sendable {
  let title: Rect
  /// Names of columns; empty where there are none.
  let header: Rect
  /// The list, the grid or the picture.
  let content: Rect
  /// A line for what has just happened; empty for pictures, which it overlays.
  let rule: Rect
  /// Sums and sliders.
  let footer: Rect
  let buttons: Rect

  /// - Parameters:
  ///   - header: rows for the names of columns, in the room below the title.
  ///   - footer: rows for sums and sliders.
  ///   - buttonColumns: of all buttons in one line.
  init(
    _ size: Size, isPicture: Bool, header headerRows: (Size) -> Int,
    footer footerRows: (Size) -> Int, buttonColumns: Int
  ) {
    var rest = Rect(size)
    title = rest.takeTop(1)
    header = rest.takeTop(headerRows(rest.size))
    let mayHaveTwo = rest.rows >= 15 && !isPicture
    buttons = rest.takeBottom(mayHaveTwo && buttonColumns > rest.columns - 2 ? 2 : 1)
    footer = rest.takeBottom(footerRows(rest.size))
    rule = rest.takeBottom(isPicture ? 0 : 1)
    content = rest
  }
}
