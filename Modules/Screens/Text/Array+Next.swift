extension Array where Element: Equatable {
  /// The one after it, and the first after the last.
  func next(after element: Element) -> Element {
    guard let index = firstIndex(of: element) else { return element }
    return self[(index + 1) % count]
  }
}
