import Models

/// SQL conditions that several statements share.
enum Condition {
  /// The condition that queries return the record and its resources: it is in the list, or is the standalone
  /// record.
  static let isInPlace = "(record.position IS NOT NULL OR (record.kind = 1 AND record.removed = 0))"

  /// The condition that queries return the resource, because they return its record.
  static let isVisible = """
    EXISTS (SELECT 1 FROM record WHERE record.id = resource.record AND \(isInPlace))
    """

  /// The condition that the resource is in `state`, which must not be `stored` or `finished`. The partial
  /// index `resource_queue` covers this condition.
  static func isInQueue(_ state: ResourceState) -> String {
    """
    resource.state = \(state.number) AND resource.state <> \(ResourceState.finished.number) \
    AND NOT \(Row.isStored)
    """
  }

  /// The condition that the resource follows another resource of its record.
  /// - Parameter other: An SQL expression for the id of the other resource; NULL means the start of the
  ///   record.
  static func isBehind(_ other: String) -> String {
    """
    resource.position > coalesce(
      (SELECT other.position FROM resource AS other WHERE other.id = \(other)), \(Int64.min))
    """
  }
}
