import Models

/// The range of a record that was last reported to the engine as visible (LZ2).
struct VisibleRangeReporter: Sendable {
  private var record: RecordID?
  private var range = 0..<0

  mutating func report(at new: Range<Int>, of id: RecordID) -> [Effect] {
    let effects = record.map { $0 == id ? [] : [Effect.clearVisibleRange($0)] } ?? []
    (record, range) = (id, new)
    return effects + [.setVisibleRange(id, new)]
  }

  mutating func clear() -> [Effect] {
    defer { record = nil }
    return record.map { [.clearVisibleRange($0)] } ?? []
  }

  /// Returns the effects that report the range again: the engine checks for missing images only when a
  /// range is reported anew.
  func reportAgain() -> [Effect] {
    record.map { [.clearVisibleRange($0), .setVisibleRange($0, range)] } ?? []
  }
}
