/// How urgently a resource is wanted.
public enum Rank: Int, Sendable, CaseIterable, Comparable {
  /// Nobody looks at it.
  case rest
  /// It is next to what a viewer looks at.
  case prefetch
  /// A viewer looks at it.
  case visible

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
