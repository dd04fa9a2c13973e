/// A key that needs no hash function: a number that was assigned in sequence, or a part of a digest.
public protocol TableKey: Equatable, Sendable {
  /// The bits that select the key's slot in the hash table. Equal keys have equal bits; different keys have
  /// equal bits only by chance.
  var bits: UInt64 { get }
}

extension ResourceID: TableKey {
  @inlinable public var bits: UInt64 { UInt64(bitPattern: rawValue) }
}

extension RecordID: TableKey {
  @inlinable public var bits: UInt64 { UInt64(bitPattern: rawValue) }
}

extension SourceID: TableKey {
  @inlinable public var bits: UInt64 { UInt64(bitPattern: rawValue) }
}

extension RequestKey: TableKey {
  /// A random factor against collision attacks: the author of a list can search for URLs whose digests have
  /// equal bits, but not for URLs that collide after the multiplication by an unknown factor.
  @usableFromInline static let secret = UInt64.random(in: .min ... .max) | 1

  @inlinable public var bits: UInt64 { (high ^ low) &* Self.secret }
}

/// A dictionary for keys that need no hash function. A lookup is a multiplication and usually one comparison;
/// the hashing that protects `Dictionary` from chosen keys costs ten times as much, and downloading one file
/// takes about fifty lookups.
///
/// The table uses open addressing with linear probing; its entries are in a separate array without gaps, in
/// no particular order. Every operation except iteration is O(1).
public struct KeyTable<Key: TableKey, Value> {
  @usableFromInline
  struct Entry {
    @usableFromInline let key: Key
    @usableFromInline var value: Value

    @inlinable
    init(key: Key, value: Value) {
      self.key = key
      self.value = value
    }
  }

  @usableFromInline var entries: [Entry] = []
  /// The hash table: each slot has the index of an entry plus one, or 0 if it is free. An entry takes the
  /// first free slot from its key's `home`. The size is a power of two, and at least a quarter of the slots
  /// are free.
  @usableFromInline var slots: [UInt32] = []
  /// The number of bits by which the product of a key and a constant is shifted right to become a slot.
  @usableFromInline var shift: UInt64 = 64

  @inlinable
  public init() {}

  public var keys: some RandomAccessCollection<Key> {
    @inlinable get { entries.lazy.map(\.key) }
  }

  public var values: some RandomAccessCollection<Value> {
    @inlinable get { entries.lazy.map(\.value) }
  }

  @inlinable
  public func contains(_ key: Key) -> Bool { find(key) != nil }

  @inlinable
  public subscript(key: Key) -> Value? {
    get {
      guard let slot = find(key) else { return nil }
      return entries[entry(at: slot)].value
    }
    set {
      if let newValue {
        updateValue(newValue, forKey: key)
      } else {
        removeValue(forKey: key)
      }
    }
  }

  /// Accesses the value of a key. A modification of a missing key first inserts `fallback()`.
  @inlinable
  public subscript(key: Key, default fallback: @autoclosure () -> Value) -> Value {
    get { self[key] ?? fallback() }
    _modify {
      let index = find(key).map { entry(at: $0) } ?? append(key, fallback())
      yield &entries[index].value
    }
  }

  /// Modifies the value of a key in place; does nothing if the key is missing.
  /// - Returns: The result of `body`, or nil if the key is missing.
  @inlinable
  @discardableResult
  public mutating func change<Result>(
    _ key: Key, _ body: (inout Value) throws -> Result
  ) rethrows -> Result? {
    guard let slot = find(key) else { return nil }
    return try body(&entries[entry(at: slot)].value)
  }

  /// - Returns: The previous value, or nil if there was none.
  @inlinable
  @discardableResult
  public mutating func updateValue(_ value: consuming Value, forKey key: Key) -> Value? {
    if let slot = find(key) {
      swap(&entries[entry(at: slot)].value, &value)
      return value
    }
    append(key, value)
    return nil
  }

  /// - Returns: The removed value, or nil if there was none.
  @inlinable
  @discardableResult
  public mutating func removeValue(forKey key: Key) -> Value? {
    guard let slot = find(key) else { return nil }
    let index = entry(at: slot)
    free(slot)
    var entry = entries.removeLast()
    if index == entries.count { return entry.value }
    // The last entry moves to the index of the removed one, and its slot is updated.
    var moved = home(entry.key)
    while self.entry(at: moved) != entries.count { moved = nextSlot(moved) }
    slots[moved] = UInt32(index + 1)
    swap(&entries[index], &entry)
    return entry.value
  }

  // MARK: - Hash table

  @inlinable
  func home(_ key: Key) -> Int {
    // The factor is 2^64 divided by the golden ratio, which spreads neighbouring keys (Knuth, 6.4).
    Int(truncatingIfNeeded: (key.bits &* 0x9e37_79b9_7f4a_7c15) &>> shift)
  }

  @inlinable
  func nextSlot(_ slot: Int) -> Int { (slot &+ 1) & (slots.count &- 1) }

  /// Returns the index in `entries` of the entry in a slot of the hash table, or -1 if the slot is free.
  @inlinable
  func entry(at slot: Int) -> Int { Int(slots[slot]) &- 1 }

  @inlinable
  func find(_ key: Key) -> Int? {
    if entries.isEmpty { return nil }
    var slot = home(key)
    while case let index = entry(at: slot), index >= 0 {
      if entries[index].key == key { return slot }
      slot = nextSlot(slot)
    }
    return nil
  }

  /// - Returns: The index of the new entry.
  @inlinable
  @discardableResult
  mutating func append(_ key: Key, _ value: consuming Value) -> Int {
    if (entries.count + 1) * 4 > slots.count * 3 { grow() }
    entries.append(Entry(key: key, value: value))
    insert(entries.count, at: home(key))
    return entries.count - 1
  }

  @inlinable
  mutating func insert(_ number: Int, at home: Int) {
    var slot = home
    while slots[slot] != 0 { slot = nextSlot(slot) }
    slots[slot] = UInt32(number)
  }

  /// Frees a slot and moves later entries of its probe sequence forward, so that lookups still find them.
  @inlinable
  mutating func free(_ slot: Int) {
    let mask = slots.count &- 1
    var gap = slot
    var next = nextSlot(gap)
    while slots[next] != 0 {
      let home = home(entries[entry(at: next)].key)
      if (next &- home) & mask >= (next &- gap) & mask {
        slots[gap] = slots[next]
        gap = next
      }
      next = nextSlot(next)
    }
    slots[gap] = 0
  }

  @inlinable
  mutating func grow() {
    let count = Swift.max(8, slots.count * 2)
    slots = Array(repeating: 0, count: count)
    shift = UInt64(64 - count.trailingZeroBitCount)
    for index in entries.indices { insert(index + 1, at: home(entries[index].key)) }
  }
}

extension KeyTable.Entry: Sendable where Value: Sendable {}
extension KeyTable: Sendable where Value: Sendable {}

extension KeyTable: RandomAccessCollection {
  public var startIndex: Int {
    @inlinable get { 0 }
  }

  public var endIndex: Int {
    @inlinable get { entries.count }
  }

  @inlinable
  public subscript(position: Int) -> (key: Key, value: Value) {
    (entries[position].key, entries[position].value)
  }
}

/// A set of keys that need no hash function.
public struct KeySet<Key: TableKey>: Sendable {
  @usableFromInline var table = KeyTable<Key, Void>()

  @inlinable
  public init() {}

  public var isEmpty: Bool {
    @inlinable get { table.isEmpty }
  }

  public var count: Int {
    @inlinable get { table.count }
  }

  @inlinable
  public func contains(_ key: Key) -> Bool { table.contains(key) }

  /// - Returns: Whether the key was newly inserted.
  @inlinable
  @discardableResult
  public mutating func insert(_ key: Key) -> Bool {
    // `updateValue` is not used here, because it would swap two zero-sized values, which ThreadSanitizer
    // reports as an access after the last entry.
    if table.contains(key) { return false }
    table.append(key, ())
    return true
  }

  /// - Returns: Whether the key was present.
  @inlinable
  @discardableResult
  public mutating func remove(_ key: Key) -> Bool { table.removeValue(forKey: key) != nil }

  @inlinable
  public mutating func formUnion(_ keys: some Sequence<Key>) {
    for key in keys { insert(key) }
  }

  @inlinable
  public mutating func subtract(_ keys: some Sequence<Key>) {
    for key in keys { remove(key) }
  }
}
