public import Models

/// One image of a record with only the properties that a slider needs, much smaller than a `Resource`.
public struct Slice: Sendable, Hashable {
  public let id: ResourceID
  public var stamp: Int
  public var state: ResourceState
  public var hasFile: Bool
  public var pageCount: Int
  public var name: String
  /// The reason of the failure, or nil.
  public var reason: String?
  /// Whether the user has cancelled the resource, which does not count as a failure.
  public var isCancelled: Bool
  /// Whether the user has named the resource (`Resource.isNamed`).
  public var isNamed: Bool
  /// The index of the resource in the record.
  public let index: Int

  public init(_ resource: Resource) {
    id = resource.id
    stamp = ImageKey.stamp(resource)
    state = resource.state
    hasFile = resource.file != nil
    pageCount = resource.pageCount
    name = resource.displayName
    reason = resource.reason
    isCancelled = resource.isCancelled
    isNamed = resource.isNamed
    index = resource.index
  }

  /// The largest number of slices that are loaded for one record.
  public static let limit = 10_000
}
