import Terminal

/// The memory that a large window needs and a small one does not.
extension State {
  /// Seconds that a window has its size before memory is given back: it passes many sizes while it
  /// is drawn smaller.
  static let memoryRest = 1.0

  mutating func resize(to new: Size) {
    let isSmaller = new.columns * new.rows < size.columns * size.rows
    size = new
    if isSmaller { memoryDue = now + Self.memoryRest }
  }

  mutating func giveMemoryBack(_ effects: inout [Effect]) {
    guard let due = memoryDue, now >= due else { return }
    memoryDue = nil
    pictures.forget(largerThan: largestSide)
    effects.append(.giveMemoryBack)
  }

  /// Longest side in pixels of any picture that this window asks for.
  private var largestSide: Int {
    let window = max(size.columns * cellPixels.columns, size.rows * cellPixels.rows)
    return max(viewerSide, PictureKey.roundedSide(window))
  }
}
