/// The id of a record: a number assigned by the store and never reused within a library.
public struct RecordID: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  public var description: String { "\(rawValue)" }
}

/// The id of a resource. Ids ascend in the order of addition, and the resource with the smaller id is fetched
/// first.
public struct ResourceID: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  public var description: String { "\(rawValue)" }
}

/// The id of a source, assigned by the store when an `add` begins.
public struct SourceID: Hashable, Sendable, CustomStringConvertible {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
  public var description: String { "\(rawValue)" }
}
