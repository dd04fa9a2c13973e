import Terminal

/// The areas of a screen's parts, for terminals of at least 40 × 12 cells.
struct ScreenLayout: Sendable {
  let title: Rect
  /// The area of the column headings; empty on screens without columns.
  let header: Rect
  /// The area of the list, the grid or the image.
  let content: Rect
  /// The line for messages; empty on screens with a single image, over which messages are drawn.
  let messageLine: Rect
  /// The area of sums and sliders.
  let footer: Rect
  let buttons: Rect

  /// Divides a terminal of the given size into the areas of a screen.
  /// - Parameters:
  ///   - header: Returns the number of rows for the names of columns, given the area below the title.
  ///   - footer: Returns the number of rows for sums and sliders.
  ///   - buttonColumns: The width in cells of all buttons in one line.
  init(
    _ size: Size, isImage: Bool, header headerRows: (Size) -> Int,
    footer footerRows: (Size) -> Int, buttonColumns: Int
  ) {
    var rest = Rect(size)
    title = rest.removeTop(1)
    header = rest.removeTop(headerRows(rest.size))
    let mayHaveTwo = rest.rows >= 15 && !isImage
    buttons = rest.removeBottom(mayHaveTwo && buttonColumns > rest.columns - 2 ? 2 : 1)
    footer = rest.removeBottom(footerRows(rest.size))
    messageLine = rest.removeBottom(isImage ? 0 : 1)
    content = rest
  }
}
