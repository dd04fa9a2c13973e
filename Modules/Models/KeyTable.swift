/// A key that needs no hash: a number that was given in order, or a part of a digest.
public protocol TableKey: Equatable, Sendable {
  /// The same for two keys only by chance; equal keys have equal bits.
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
  /// Who writes a list can look for URLs whose digests are alike; not for such as are alike after this.
  @usableFromInline static let secret = UInt64.random(in: .min ... .max) | 1

  @inlinable public var bits: UInt64 { (high ^ low) &* Self.secret }
}

/// A dictionary for keys that need no hash. Looking one up is a multiplication and mostly one
/// comparison; the hash that keeps a dictionary safe from keys that somebody chose costs ten times
/// that, and each file has some fifty of them.
///
/// Open addressing with linear probing; the entries lie without gaps in an array of their own, in no
/// order. Everything is O(1) but going through all of it.
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
  /// For each entry its index and one, at the first place from the home of its key on that was free;
  /// 0 where there is none. As many as a power of two, at least a quarter of them free.
  @usableFromInline var places: [UInt32] = []
  /// How far the product of a key is moved to the right to be a place.
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
      guard let place = find(key) else { return nil }
      return entries[entry(at: place)].value
    }
    set {
      if let newValue {
        updateValue(newValue, forKey: key)
      } else {
        removeValue(forKey: key)
      }
    }
  }

  /// What is not there is put there to be changed.
  @inlinable
  public subscript(key: Key, default fallback: @autoclosure () -> Value) -> Value {
    get { self[key] ?? fallback() }
    _modify {
      let index = find(key).map { entry(at: $0) } ?? append(key, fallback())
      yield &entries[index].value
    }
  }

  /// Changes a value where it is; nothing if there is none.
  /// - Returns: what `body` gives.
  @inlinable
  @discardableResult
  public mutating func change<Result>(
    _ key: Key, _ body: (inout Value) throws -> Result
  ) rethrows -> Result? {
    guard let place = find(key) else { return nil }
    return try body(&entries[entry(at: place)].value)
  }

  /// - Returns: what was there before.
  @inlinable
  @discardableResult
  public mutating func updateValue(_ value: consuming Value, forKey key: Key) -> Value? {
    if let place = find(key) {
      swap(&entries[entry(at: place)].value, &value)
      return value
    }
    append(key, value)
    return nil
  }

  /// - Returns: what was there.
  @inlinable
  @discardableResult
  public mutating func removeValue(forKey key: Key) -> Value? {
    guard let place = find(key) else { return nil }
    let index = entry(at: place)
    free(place)
    var entry = entries.removeLast()
    if index == entries.count { return entry.value }
    // The last one fills the gap.
    var moved = home(entry.key)
    while self.entry(at: moved) != entries.count { moved = following(moved) }
    places[moved] = UInt32(index + 1)
    swap(&entries[index], &entry)
    return entry.value
  }

  // MARK: - Places

  @inlinable
  func home(_ key: Key) -> Int {
    // 2^64 over the golden ratio: neighbours come to lie far from each other (Knuth, 6.4).
    Int(truncatingIfNeeded: (key.bits &* 0x9e37_79b9_7f4a_7c15) &>> shift)
  }

  @inlinable
  func following(_ place: Int) -> Int { (place &+ 1) & (places.count &- 1) }

  /// Which entry a place tells of; -1: none.
  @inlinable
  func entry(at place: Int) -> Int { Int(places[place]) &- 1 }

  @inlinable
  func find(_ key: Key) -> Int? {
    if entries.isEmpty { return nil }
    var place = home(key)
    while case let index = entry(at: place), index >= 0 {
      if entries[index].key == key { return place }
      place = following(place)
    }
    return nil
  }

  /// - Returns: the index of the new entry.
  @inlinable
  @discardableResult
  mutating func append(_ key: Key, _ value: consuming Value) -> Int {
    if (entries.count + 1) * 4 > places.count * 3 { grow() }
    entries.append(Entry(key: key, value: value))
    put(entries.count, at: home(key))
    return entries.count - 1
  }

  @inlinable
  mutating func put(_ number: Int, at home: Int) {
    var place = home
    while places[place] != 0 { place = following(place) }
    places[place] = UInt32(number)
  }

  /// Whatever could not lie at its own place because of this one moves up.
  @inlinable
  mutating func free(_ place: Int) {
    let mask = places.count &- 1
    var gap = place
    var next = following(gap)
    while places[next] != 0 {
      let home = home(entries[entry(at: next)].key)
      if (next &- home) & mask >= (next &- gap) & mask {
        places[gap] = places[next]
        gap = next
      }
      next = following(next)
    }
    places[gap] = 0
  }

  @inlinable
  mutating func grow() {
    let count = Swift.max(8, places.count * 2)
    places = Array(repeating: 0, count: count)
    shift = UInt64(64 - count.trailingZeroBitCount)
    for index in entries.indices { put(index + 1, at: home(entries[index].key)) }
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

/// What a set is, for keys that need no hash.
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

  /// - Returns: whether it was not there.
  @inlinable
  @discardableResult
  public mutating func insert(_ key: Key) -> Bool {
    // Exchanging values of no size is an access behind the last entry to ThreadSanitizer.
    if table.contains(key) { return false }
    table.append(key, ())
    return true
  }

  /// - Returns: whether it was there.
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
