extension Array where Element: Sendable {
  /// The results in the order of the elements, at most `width` at work at a time. The first error
  /// cancels the others and is thrown when all have ended.
  /// - Parameter body: is given the index and the element.
  func mapped<Value: Sendable>(
    width: Int, _ body: @escaping @Sendable (Int, Element) async throws -> Value
  ) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
      var results: [Value?] = Array<Value?>(repeating: nil, count: count)
      for (index, element) in enumerated() {
        if index >= width, let (done, value) = try await group.next() { results[done] = value }
        group.addTask { (index, try await body(index, element)) }
      }
      while let (done, value) = try await group.next() { results[done] = value }
      return results.compactMap { $0 }
    }
  }
}
