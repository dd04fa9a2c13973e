/// A number assigned by the store, never reused within a library.
public struct RecordID: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  public var description: String { "\(rawValue)" }
}

/// Resources are numbered in the order of addition: a resource with a smaller number is fetched first.
public struct ResourceID: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  public var description: String { "\(rawValue)" }
}

/// Identifies one `add` of a source.
public struct SourceID: Hashable, Sendable, CustomStringConvertible {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
  public var description: String { "\(rawValue)" }
}
