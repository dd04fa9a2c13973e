public import Models

/// The order in which jobs start. Jobs of equal precedence start in the order in which they were added.
public enum Precedence: UInt8, Sendable, CaseIterable, Comparable {
  /// The resource is visible in a viewer, or a caller waits for it.
  case visible
  /// The resource is next to visible ones.
  case prefetch
  case high
  case normal
  case low

  public init(_ priority: RecordPriority) {
    self =
      switch priority {
      case .high: .high
      case .normal: .normal
      case .low: .low
      }
  }

  /// The smallest precedence starts first.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
