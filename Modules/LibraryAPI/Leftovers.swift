/// The files that a removal was to delete, and that are still on the disk because the file system refuses to delete them,
/// for example those in an immutable folder.
public struct Leftovers: Sendable, Equatable {
  /// The maximum number of files that are described.
  public static let limit = 20

  public private(set) var count: Int
  /// One clause for each of the first files, with its path and the reason.
  public private(set) var descriptions: [String]

  public init() { (count, descriptions) = (0, []) }

  package init(count: Int, descriptions: [String]) {
    self.count = max(count, descriptions.count)
    self.descriptions = Array(descriptions.prefix(Self.limit))
  }

  public var isEmpty: Bool { count == 0 }

  public mutating func append(_ description: @autoclosure () -> String) {
    count += 1
    if descriptions.count < Self.limit { descriptions.append(description()) }
  }

  public static func += (leftovers: inout Leftovers, more: Leftovers) {
    leftovers.count += more.count
    leftovers.descriptions += more.descriptions.prefix(limit - leftovers.descriptions.count)
  }
}
