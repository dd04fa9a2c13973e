/// The loaded rows of a long list in the store, and the range of rows to request next.
///
/// A window accepts the response to its latest request only; it ignores responses to earlier requests.
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

  /// Marks the items as stale. Stale items are shown until a response replaces them.
  public mutating func invalidate() { isStale = true }

  /// Discards all items and requests before the window shows another list.
  public mutating func clear() { self = ItemWindow() }

  /// Returns the range to request from the store, or nil if no request is due: the visible items, and a
  /// screenful of items before and after them.
  /// - Parameter visible: The indexes of the visible items.
  public mutating func nextRequest(for visible: Range<Int>) -> Range<Int>? {
    let room = max(visible.count, 16)
    let wanted = max(0, visible.lowerBound - room)..<(visible.upperBound + room)
    if let requested {
      // The request in flight already covers the visible items.
      if !isStale && requested.lowerBound <= visible.lowerBound
        && visible.upperBound <= requested.upperBound
      {
        return nil
      }
      // Stale items need no second request for the range in flight.
      if isStale && requested == wanted { return nil }
    } else if !isStale && covers(visible) {
      return nil
    }
    isStale = false
    requested = wanted
    return wanted
  }

  /// Stores the response to a request.
  /// - Parameter range: The range that `nextRequest` returned.
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

  /// Abandons the request for a range, so that `nextRequest` returns it again.
  public mutating func abandon(_ range: Range<Int>) {
    guard range == requested else { return }
    requested = nil
    isStale = true
  }

  /// Applies to the loaded items a change that the store has already made, until the items are read again. A
  /// response in flight is ignored, because the store may have read it before the change.
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
