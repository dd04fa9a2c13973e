import Models

/// A selection of a record's resources, fixed when it was made: rows that are added, removed or change their
/// state later do not move the others, so that a client can jump to any index.
struct ResourceView: Sendable {
  let id: UInt64
  let record: RecordID
  let resources: [ResourceID]

  /// Returns the ids from an index on, at most `count`.
  func resources(from: Int, count: Int) -> [ResourceID] {
    Array(resources.dropFirst(from).prefix(count))
  }
}
