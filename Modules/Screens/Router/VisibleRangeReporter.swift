import Models

/// Which part of which record the engine was told to be looked at (LZ2).
struct VisibleRangeReporter: Sendable {
  private var record: RecordID?
  private var range = 0..<0

  mutating func look(at new: Range<Int>, of id: RecordID) -> [Effect] {
    let effects = record.map { $0 == id ? [] : [Effect.lookAway($0)] } ?? []
    (record, range) = (id, new)
    return effects + [.look(id, new)]
  }

  mutating func lookAway() -> [Effect] {
    defer { record = nil }
    return record.map { [.lookAway($0)] } ?? []
  }

  /// The engine looks for what is missing only where something is looked at again.
  func lookAgain() -> [Effect] {
    record.map { [.lookAway($0), .look($0, range)] } ?? []
  }
}
