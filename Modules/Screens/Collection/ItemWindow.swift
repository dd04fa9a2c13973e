/// A part of a long list that lies in a store, with what has to be requested next.
///
/// One question is under way at a time for each place; an answer to an older question is let go.
public struct ItemWindow<Item: Sendable>: ItemSource, Sendable {
  public private(set) var count = 0
  public private(set) var first = 0
  public private(set) var items: [Item] = []
  /// What was requested and has not come.
  public private(set) var asked: Range<Int>?
  private var isStale = true

  public init() {}

  public func item(at index: Int) -> Item? {
    index >= first && index - first < items.count ? items[index - first] : nil
  }

  /// What is here has changed in the store; it is shown until the new one comes.
  public mutating func invalidate() { isStale = true }

  /// Nothing of it is known any more: another list.
  public mutating func clear() { self = ItemWindow() }

  /// - Parameter visible: the visible items.
  /// - Returns: what to ask the store for: the visible items and as much again before and behind.
  public mutating func need(_ visible: Range<Int>) -> Range<Int>? {
    let room = max(visible.count, 16)
    let wanted = max(0, visible.lowerBound - room)..<(visible.upperBound + room)
    if let asked {
      // A question under way that will answer this one, too.
      if !isStale && asked.lowerBound <= visible.lowerBound
        && visible.upperBound <= asked.upperBound
      {
        return nil
      }
      // Of what is stale one question at a time is enough.
      if isStale && asked == wanted { return nil }
    } else if !isStale && covers(visible) {
      return nil
    }
    isStale = false
    asked = wanted
    return wanted
  }

  /// - Parameter range: as `need` gave it.
  /// - Returns: whether it was what was wanted last.
  @discardableResult
  public mutating func receive(_ range: Range<Int>, _ new: [Item], count total: Int) -> Bool {
    guard range == asked else { return false }
    asked = nil
    first = range.lowerBound
    items = new
    count = total
    return true
  }

  /// The answer is of no use any more: it is requested again.
  public mutating func abandon(_ range: Range<Int>) {
    guard range == asked else { return }
    asked = nil
    isStale = true
  }

  /// Applies a change that the store has already made, until the items are read again. An answer that is
  /// still under way may be older than the change, and is let go.
  public mutating func apply(_ change: (inout Item) -> Void) {
    for index in items.indices { change(&items[index]) }
    asked = nil
    isStale = true
  }

  private func covers(_ visible: Range<Int>) -> Bool {
    let inside = visible.clamped(to: 0..<max(count, visible.lowerBound))
    return inside.isEmpty
      || (inside.lowerBound >= first && inside.upperBound <= first + items.count)
  }
}
