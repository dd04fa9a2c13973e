/// Where a collection gets its items from: how many there are, and those around the visible items.
public protocol ItemSource<Item> {
  associatedtype Item
  var count: Int { get }
  /// nil means not here yet.
  func item(at index: Int) -> Item?
}

/// All items at once, for short lists.
public struct ItemArray<Item: Sendable>: ItemSource, Sendable {
  public var items: [Item]

  public init(_ items: [Item]) { self.items = items }

  public var count: Int { items.count }

  public func item(at index: Int) -> Item? { items.indices.contains(index) ? items[index] : nil }
}

/// Makes items of others as they are requested.
struct MappedSource<Base: ItemSource, Item>: ItemSource {
  let base: Base
  let transform: (Base.Item) -> Item

  var count: Int { base.count }

  func item(at index: Int) -> Item? { base.item(at: index).map(transform) }
}
