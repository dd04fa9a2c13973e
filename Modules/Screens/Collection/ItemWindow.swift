/// A loaded part of a long list in a store, and the range to request next.
///
/// Each window has at most one request in flight; it ignores the response to an earlier request.
public struct ItemWindow<Item: Sendable>: ItemSource, Sendable {
  public private(set) var count = 0
  public private(set) var first = 0
  public private(set) var items: [Item] = []
  /// The range of the request in flight, or nil if there is none.
  public private(set) var requested: Range<Int>?
  private var isStale = true

  public init() {}

  public func item(at index: Int) -> Item? {
    index >= first && index - first < items.count ? items[index - first] : nil
  }

  /// Marks the items as stale. They stay visible until the new ones arrive.
  public mutating func invalidate() { isStale = true }

  /// Discards all items and requests, because another list takes their place.
  public mutating func clear() { self = ItemWindow() }

  /// Returns the range to request from the store, or nil if no request is due: the visible items, and as many
  /// again before and behind them.
  /// - Parameter visible: The indexes of the visible items.
  public mutating func need(_ visible: Range<Int>) -> Range<Int>? {
    let room = max(visible.count, 16)
    let wanted = max(0, visible.lowerBound - room)..<(visible.upperBound + room)
    if let requested {
      // The request in flight already covers the visible items.
      if !isStale && requested.lowerBound <= visible.lowerBound
        && visible.upperBound <= requested.upperBound
      {
        return nil
      }
      // One request at a time is enough for stale items.
      if isStale && requested == wanted { return nil }
    } else if !isStale && covers(visible) {
      return nil
    }
    isStale = false
    requested = wanted
    return wanted
  }

  /// Stores the response to a request.
  /// - Parameter range: The range that `need` returned.
  /// - Returns: Whether the response belongs to the latest request; any other response is ignored.
  @discardableResult
  public mutating func receive(_ range: Range<Int>, _ new: [Item], count total: Int) -> Bool {
    guard range == requested else { return false }
    requested = nil
    first = range.lowerBound
    items = new
    count = total
    return true
  }

  /// Abandons the request for a range, so that `need` requests it again.
  public mutating func abandon(_ range: Range<Int>) {
    guard range == requested else { return }
    requested = nil
    isStale = true
  }

  /// Applies a change that the store has already made, until the items are read again. A response in flight
  /// may predate the change, so it is ignored.
  public mutating func apply(_ change: (inout Item) -> Void) {
    for index in items.indices { change(&items[index]) }
    requested = nil
    isStale = true
  }

  private func covers(_ visible: Range<Int>) -> Bool {
    let inside = visible.clamped(to: 0..<max(count, visible.lowerBound))
    return inside.isEmpty
      || (inside.lowerBound >= first && inside.upperBound <= first + items.count)
  }
}
