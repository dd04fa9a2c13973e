import Terminal

/// What the screens are shown on: the size of the terminal and what it can.
struct Display: Sendable {
  /// In cells.
  private(set) var size: Size
  /// Pixels of one cell, for how large pictures are decoded.
  private(set) var cellPixels = Size(8, 16)
  /// Whether the terminal shows pictures in some way.
  private(set) var showsPictures = true
  private(set) var theme: Theme
  /// The colours that were chosen; nil means those that the terminal's background asks for.
  private let scheme: ColourScheme?

  /// The smallest size for which the screens are laid out.
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

  /// What the terminal can do decides how large pictures are decoded, and its background which
  /// colours are used.
  mutating func adopt(_ capabilities: Capabilities) {
    let cell = capabilities.cellPixels
    // Art of symbols shows at most a few points a cell.
    cellPixels =
      capabilities.pictures.hasPixels
      ? Size(max(1, cell.width), max(1, cell.height)) : Size(8, 16)
    showsPictures = capabilities.pictures != .none
    theme = Theme(scheme, background: capabilities.background, depth: capabilities.colours)
  }
}
