public import Models

/// What starts before what; equal ones start in the order in which they were added.
public enum Precedence: UInt8, Sendable, CaseIterable, Comparable {
  /// Somebody looks at it or waits for it.
  case visible
  /// It is next to what somebody looks at.
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

  /// What starts first is the smallest.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
