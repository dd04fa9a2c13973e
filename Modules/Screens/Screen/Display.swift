import Terminal

/// The size and the capabilities of the terminal, as far as the screens need them.
struct Display: Sendable {
  /// The size in cells.
  private(set) var size: Size
  /// The size of a cell in pixels, which determines the size of decoded images.
  private(set) var cellPixels = Size(8, 16)
  /// Whether the terminal can show images by any protocol.
  private(set) var showsImages = true
  private(set) var theme: Theme
  /// The chosen colour scheme; nil to derive it from the terminal's background.
  private let scheme: ColourScheme?

  /// The smallest size in cells for which the screens are laid out.
  static let smallest = Size(40, 12)

  init(_ size: Size, scheme: ColourScheme?) {
    self.size = size
    self.scheme = scheme
    theme = Theme(scheme)
  }

  var isTooSmall: Bool { size.columns < Self.smallest.columns || size.rows < Self.smallest.rows }

  /// The longer side of the window in pixels.
  var longestSide: Int { longestSide(of: size) }

  /// The longer side of a part of the window in pixels.
  func longestSide(of part: Size) -> Int {
    max(part.columns * cellPixels.columns, part.rows * cellPixels.rows)
  }

  mutating func resize(to new: Size) { size = new }

  /// Adopts the capabilities of the terminal, which determine the size of decoded images and the colours.
  mutating func adopt(_ capabilities: Capabilities) {
    let cell = capabilities.cellPixels
    // An image made of characters shows a few points per cell, so a small cell size suffices for it.
    cellPixels =
      capabilities.images.hasPixels
      ? Size(max(1, cell.width), max(1, cell.height)) : Size(8, 16)
    showsImages = capabilities.images != .none
    theme = Theme(scheme, background: capabilities.background, depth: capabilities.colours)
  }
}
