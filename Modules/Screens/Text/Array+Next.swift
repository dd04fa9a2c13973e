extension Array where Element: Equatable {
  /// Returns the element after `element`; after the last element, the first one.
  func next(after element: Element) -> Element {
    guard let index = firstIndex(of: element) else { return element }
    return self[(index + 1) % count]
  }
}
