/// A number that the store gave; never reused within a library.
public struct RecordID: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  public var description: String { "\(rawValue)" }
}

/// Resources are numbered in the order in which they were added: a smaller one is fetched first.
public struct ResourceID: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  public var description: String { "\(rawValue)" }
}

/// One `add` of one source.
public struct SourceID: Hashable, Sendable, CustomStringConvertible {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
  public var description: String { "\(rawValue)" }
}
