extension Array where Element: Sendable {
  /// Returns the results of `body` in the order of the elements, with at most `width` calls running at a
  /// time. The first error cancels the other calls and is thrown after all calls have ended.
  /// - Parameter body: Receives the index and the element.
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
