/// The source of a collection's items: their number, and the items around the visible range.
public protocol ItemSource<Item> {
  associatedtype Item
  var count: Int { get }
  /// Returns the item at an index, or nil while it is not loaded.
  func item(at index: Int) -> Item?
}

/// A source that holds all its items in memory, for short lists.
public struct ItemArray<Item: Sendable>: ItemSource, Sendable {
  public var items: [Item]

  public init(_ items: [Item]) { self.items = items }

  public var count: Int { items.count }

  public func item(at index: Int) -> Item? { items.indices.contains(index) ? items[index] : nil }
}

/// A source that transforms the items of another source on request.
struct MappedSource<Base: ItemSource, Item>: ItemSource {
  let base: Base
  let transform: (Base.Item) -> Item

  var count: Int { base.count }

  func item(at index: Int) -> Item? { base.item(at: index).map(transform) }
}
