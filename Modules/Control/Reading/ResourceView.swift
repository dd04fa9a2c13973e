import Models

/// A selection of a record's resources in a fixed order: rows that are added, removed or change their state
/// after the view was created do not move other rows, so that a client can jump to any index.
struct ResourceView: Sendable {
  let id: UInt64
  let record: RecordID
  let resources: [ResourceID]
  /// The number of the last event before the view was created, if it has all resources in the record's own order.
  /// Until the next event, another such view has the same resources.
  var completeAt: UInt64?

  /// Returns at most `count` ids, starting at an index.
  func resources(from: Int, count: Int) -> [ResourceID] {
    Array(resources.dropFirst(from).prefix(count))
  }
}
