import Models

/// SQL conditions that several statements share.
enum Condition {
  /// Queries see the record and its resources.
  static let isInPlace = "(record.position IS NOT NULL OR (record.kind = 1 AND record.removed = 0))"

  /// Queries see the record of the resource.
  static let isVisible = """
    EXISTS (SELECT 1 FROM record WHERE record.id = resource.record AND \(isInPlace))
    """

  /// The resource is in `state`, which is neither `stored` nor `finished`. The partial index
  /// `resource_queue` serves the condition.
  static func isInQueue(_ state: ResourceState) -> String {
    """
    resource.state = \(state.number) AND resource.state <> \(ResourceState.finished.number) \
    AND NOT \(Row.isStored)
    """
  }

  /// The resource comes after another one of its record.
  /// - Parameter other: An SQL expression for the id of the other resource; NULL means the start of the
  ///   record.
  static func isBehind(_ other: String) -> String {
    """
    resource.position > coalesce(
      (SELECT other.position FROM resource AS other WHERE other.id = \(other)), \(Int64.min))
    """
  }
}
