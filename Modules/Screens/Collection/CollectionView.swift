import Terminal

/// A list, grid or strip of any number of items. Only the visible items cost time or memory.
///
/// The view holds the number of items and the selection, but no items. Callers pass the time.
public struct CollectionView: Sendable {
  public private(set) var geometry: CollectionGeometry
  public private(set) var count = 0
  /// The index of the selected item; 0 in an empty collection.
  public private(set) var selection = 0
  /// The number of the first visible line, from 0.
  public private(set) var top = 0
  /// The index of the item that a long press has lifted (RM9), or nil. All other items are drawn faded.
  public private(set) var lifted: Int?
  /// The number of wheel notches by which the user has pulled the list beyond its top.
  public private(set) var pull = 0
  private var movedAt: Double?
  private var pulledAt: Double?
  private var announced: Range<Int>?

  /// The time in seconds without a movement after which the visible items are requested.
  public static let restSeconds = 0.05
  /// The number of wheel notches beyond the top at which a refresh is requested (RM7).
  public static let pullToRefresh = 3
  /// The time in seconds after the last wheel notch at which `pull` returns to 0.
  static let spring = 0.5

  public init(_ layout: CollectionLayout = .list) {
    geometry = CollectionGeometry(layout, viewport: Size(1, 1), tile: Size(1, 1))
  }

  public enum Movement: Sendable {
    case up, down, left, right, pageUp, pageDown, first, last
  }

  /// The indexes of the items that are at least partly visible.
  public var visible: Range<Int> { geometry.visible(top: top, count: count) }

  /// Adopts a new viewport or item size, and keeps the selection visible.
  public mutating func fit(_ new: CollectionGeometry, at now: Double) {
    guard new != geometry else { return }
    geometry = new
    movedAt = now
    reveal()
  }

  public mutating func setCount(_ new: Int, at now: Double) {
    guard new != count else { return }
    count = max(0, new)
    selection = min(selection, max(0, count - 1))
    if let item = lifted, item >= count { lifted = nil }
    movedAt = now
    clampTop()
  }

  public mutating func select(_ index: Int, at now: Double) {
    let old = (selection, top)
    selection = min(max(0, index), max(0, count - 1))
    reveal()
    if (selection, top) != old { movedAt = now }
  }

  /// - Parameter index: The index of the item to lift, or nil to put the lifted item back.
  public mutating func lift(_ index: Int?) { lifted = index }

  public mutating func move(_ movement: Movement, at now: Double) {
    let line = geometry.perLine
    let page = line * geometry.visibleLineCount
    let isStrip = geometry.layout == .strip
    switch movement {
    case .up: step(isStrip ? 0 : -line, at: now)
    case .down: step(isStrip ? 0 : line, at: now)
    case .left: step(-1, at: now)
    case .right: step(1, at: now)
    case .pageUp: select(selection - page, at: now)
    case .pageDown: select(selection + page, at: now)
    case .first: select(0, at: now)
    case .last: select(count - 1, at: now)
    }
  }

  /// Moves the selection by a number of items. A step up from the first line of a grid does nothing.
  private mutating func step(_ distance: Int, at now: Double) {
    let target = selection + distance
    guard target >= 0 else { return }
    // The selection may move from the last full line down to the last item if the line below is not full.
    let isBelow = target >= count && selection / geometry.perLine < (count - 1) / geometry.perLine
    guard target < count || isBelow else { return }
    select(target, at: now)
  }

  /// Scrolls by lines, as the wheel does, and keeps the selection visible.
  /// - Parameter lines: The number of lines; negative values scroll towards the beginning.
  /// - Returns: Whether the user has pulled far enough beyond the top to request a refresh.
  public mutating func scroll(_ lines: Int, at now: Double) -> Bool {
    if lines < 0, top == 0 {
      pull += 1
      pulledAt = now
      guard pull >= Self.pullToRefresh else { return false }
      pull = 0
      pulledAt = nil
      return true
    }
    pull = 0
    let old = top
    top += lines
    clampTop()
    guard top != old else { return false }
    movedAt = now
    let line = min(
      max(selection / geometry.perLine, top), top + geometry.visibleLineCount - 1)
    selection = min(line * geometry.perLine + selection % geometry.perLine, max(0, count - 1))
    return false
  }

  /// The time at which `advance` is due, in seconds; nil while nothing moves.
  public var nextWakeTime: Double? {
    [movedAt.map { $0 + Self.restSeconds }, pulledAt.map { $0 + Self.spring }].compactMap(\.self)
      .min()
  }

  /// Advances the view to the time `now`.
  /// - Returns: The indexes of the visible items once scrolling has rested for `restSeconds` (LZ2), else nil.
  public mutating func advance(to now: Double) -> Range<Int>? {
    if let pulled = pulledAt, now >= pulled + Self.spring {
      pulledAt = nil
      pull = 0
    }
    guard let moved = movedAt, now >= moved + Self.restSeconds else { return nil }
    movedAt = nil
    guard visible != announced else { return nil }
    announced = visible
    return visible
  }

  /// Whether no movement has happened for `restSeconds` seconds.
  public var isAtRest: Bool { movedAt == nil }

  /// Makes `advance` report the visible items again after `restSeconds` seconds without a movement, because
  /// the contents of the items have changed.
  public mutating func forgetAnnouncement(at now: Double) {
    announced = nil
    movedAt = now
  }

  /// Whether the view is at rest with at most one more screen of items below the visible ones.
  /// - Parameter total: The number of items in the record. A list that does not hold all of them yet is not
  ///   near its end.
  func isNearEnd(of total: Int) -> Bool {
    isAtRest && count == total && total > 0 && visible.upperBound + visible.count >= total
  }

  private mutating func reveal() {
    let line = selection / geometry.perLine
    if line < top { top = line }
    if line >= top + geometry.visibleLineCount { top = line - geometry.visibleLineCount + 1 }
    clampTop()
  }

  private mutating func clampTop() { top = min(max(0, top), geometry.lastTop(count)) }
}
