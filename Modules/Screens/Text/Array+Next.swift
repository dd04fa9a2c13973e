extension Array where Element: Equatable {
  /// Returns the element after this one; the first one follows the last.
  func next(after element: Element) -> Element {
    guard let index = firstIndex(of: element) else { return element }
    return self[(index + 1) % count]
  }
}
