/// A value in memory of its own, which copies share until one of them is modified. A copy of a struct with many
/// strings and arrays would retain each of them.
public struct CopyOnWrite<Value> {
  @usableFromInline
  final class Storage {
    /// Accesses to the struct, of which this is the storage, are checked; those of the storage need not be as well.
    @exclusivity(unchecked)
    @usableFromInline var value: Value

    @usableFromInline
    init(_ value: Value) { self.value = value }
  }

  @usableFromInline var storage: Storage

  @inlinable
  public init(_ value: Value) { storage = Storage(value) }

  @inlinable
  public var value: Value {
    _read { yield storage.value }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
      yield &storage.value
    }
  }
}

/// @unchecked Sendable: the storage is modified only while it is uniquely referenced.
extension CopyOnWrite: @unchecked Sendable where Value: Sendable {}

extension CopyOnWrite: Equatable where Value: Equatable {
  @inlinable
  public static func == (a: Self, b: Self) -> Bool {
    a.storage === b.storage || a.value == b.value
  }
}
