import Terminal

/// The selection of visible images, and the effect of keys on the selection.
struct ImageViewState: Equatable {
  let count: Int
  /// The index of the only visible image, or of the first one in the grid, from 0.
  private(set) var index: Int
  /// Whether a single image fills the screen; otherwise a grid is shown.
  private(set) var isSingle: Bool
  private(set) var isOver = false

  /// - Parameter start: The index of the image to show alone; nil shows a grid, unless there is only one
  ///   image.
  init(count: Int, from start: Int?) {
    self.count = count
    index = start ?? 0
    isSingle = start != nil || count == 1
  }

  /// Returns the columns and rows of a grid whose tiles are large enough to recognize the images.
  static func grid(_ size: Size) -> (columns: Int, rows: Int) {
    (max(1, size.columns / 26), max(1, (size.rows - 1) / 11))
  }

  mutating func handle(_ key: Key, _ size: Size) {
    let grid = Self.grid(size)
    let page = isSingle ? 1 : grid.columns * grid.rows
    switch key {
    case .character("q"), .escape: isOver = true
    case .right, .pageDown, .character(" "), .character("n"): move(page)
    case .left, .pageUp, .backspace, .character("p"): move(-page)
    case .down: move(isSingle ? 1 : grid.columns)
    case .up: move(isSingle ? -1 : -grid.columns)
    case .home: index = 0
    case .end: index = max(0, count - page)
    case .enter, .character("g"): isSingle.toggle()
    default: break
    }
  }

  private mutating func move(_ step: Int) {
    let target = index + step
    if (0..<count).contains(target) { index = target }
    if target < 0 { index = 0 }
  }

  /// Returns the indices of the images that are visible on a screen of the given size.
  func visible(_ size: Size) -> Range<Int> {
    if isSingle { return index..<(index + 1) }
    let grid = Self.grid(size)
    return index..<min(count, index + grid.columns * grid.rows)
  }
}
