/// The urgency that viewers give to a resource.
public enum Rank: Int, Sendable, CaseIterable, Comparable {
  /// No viewer looks at the resource.
  case rest
  /// The resource is next to those that a viewer looks at.
  case prefetch
  /// A viewer looks at the resource.
  case visible

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
