/// A first-in, first-out queue that does not move the remaining items at each removal.
struct Queue<Element: Equatable> {
  private var items: [Element] = []
  private var head = 0

  var isEmpty: Bool { head == items.count }

  var first: Element? { isEmpty ? nil : items[head] }

  mutating func append(_ item: Element) { items.append(item) }

  /// Inserts an item in front of the first item for which `isLater` returns true. O(number of the items
  /// before it) after a removal from the front, otherwise O(number of items).
  mutating func insert(_ item: Element, before isLater: (Element) -> Bool) {
    let place = items[head...].firstIndex(where: isLater) ?? items.endIndex
    guard head > 0 else { return items.insert(item, at: place) }
    for index in head..<place { items[index - 1] = items[index] }
    items[place - 1] = item
    head -= 1
  }

  /// Removes and returns the first item. O(1) on average.
  mutating func popFirst() -> Element? {
    guard head < items.count else { return nil }
    let item = items[head]
    head += 1
    if head == items.count {
      items.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 64 && head * 2 >= items.count {
      items.removeFirst(head)
      head = 0
    }
    return item
  }

  /// Removes an item. O(number of items).
  mutating func remove(_ item: Element) {
    guard let index = items[head...].firstIndex(of: item) else { return }
    items.remove(at: index)
  }
}
