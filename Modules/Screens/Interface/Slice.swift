public import Models

/// One place of a record, as a slider shows it: much less than a whole row.
public struct Slice: Sendable, Hashable {
  public let id: ResourceID
  public var stamp: Int
  public var state: ResourceState
  public var hasFile: Bool
  public var pageCount: Int
  public var name: String
  /// Why it failed.
  public var reason: String?
  /// The user has cancelled it: it has not failed.
  public var isCancelled: Bool
  /// Its number in the record.
  public let index: Int

  public init(_ resource: Resource) {
    id = resource.id
    stamp = PictureKey.stamp(resource)
    state = resource.state
    hasFile = resource.file != nil
    pageCount = resource.pageCount
    name = resource.displayName
    reason = resource.reason
    isCancelled = resource.isCancelled
    index = resource.index
  }

  /// So many of one record at most are followed one by one.
  public static let limit = 10_000
}
