/// The order in which the entries of a cache were last used, bounded by their number and their bytes.
///
/// The index holds only keys and sizes; the caller holds the values and drops those that an operation
/// returns as evicted. Each operation is O(1) plus O(number of evicted entries). A limit of 0 keeps no
/// entry, and `Int.max` is no limit.
public struct LRUIndex<Key: Hashable & Sendable>: Sendable {
  /// A node of the linked list. Nodes are elements of an array, which avoids objects and reference
  /// counting.
  private struct Node: Sendable {
    /// The key, or nil while the node is free.
    var key: Key?
    var bytes: Int
    /// The index of the next less recently used node; in a free node, the index of the next free node.
    var older: Int
    var newer: Int
  }

  private static var none: Int { -1 }

  private var nodes: [Node] = []
  private var places: [Key: Int] = [:]
  private var newest = Self.none
  private var oldest = Self.none
  private var free = Self.none

  /// The sum of the sizes of all entries.
  public private(set) var bytes = 0
  public private(set) var countLimit: Int
  public private(set) var byteLimit: Int

  /// - Parameters:
  ///   - countLimit: The largest number of entries; a negative number counts as 0.
  ///   - byteLimit: The largest sum of sizes in bytes; a negative number counts as 0.
  public init(countLimit: Int, byteLimit: Int) {
    self.countLimit = max(0, countLimit)
    self.byteLimit = max(0, byteLimit)
  }

  public var count: Int { places.count }

  /// The keys, the least recently used first. O(count).
  public var keys: [Key] {
    var keys: [Key] = []
    keys.reserveCapacity(count)
    var place = oldest
    while place != Self.none {
      if let key = nodes[place].key { keys.append(key) }
      place = nodes[place].newer
    }
    return keys
  }

  /// Returns whether the index contains the key, without counting as a use.
  public func contains(_ key: Key) -> Bool { places[key] != nil }

  /// Inserts `key` as the most recently used one; an existing key gets the new size.
  ///
  /// - Parameter bytes: The size of the entry; a negative number counts as 0.
  /// - Returns: The evicted keys, the least recently used first. An entry larger than `byteLimit` is not
  ///   inserted, and only its own key is returned.
  public mutating func insert(_ key: Key, bytes size: Int) -> [Key] {
    remove(key)
    let size = max(0, size)
    guard keepsAnything, size <= byteLimit else { return [key] }
    // Because 0 <= size <= byteLimit, neither this subtraction nor the sum of the sizes below can overflow.
    let evicted = evict(count: countLimit - 1, bytes: byteLimit - size)
    let place = allocate(Node(key: key, bytes: size, older: newest, newer: Self.none))
    if newest == Self.none { oldest = place } else { nodes[newest].newer = place }
    newest = place
    places[key] = place
    bytes += size
    return evicted
  }

  /// Makes `key` the most recently used one.
  ///
  /// - Returns: Whether the index contains the key.
  public mutating func touch(_ key: Key) -> Bool {
    guard let place = places[key] else { return false }
    guard place != newest else { return true }
    unlink(place)
    nodes[place].older = newest
    nodes[place].newer = Self.none
    nodes[newest].newer = place
    newest = place
    return true
  }

  /// Removes `key`.
  /// - Returns: Whether the index contained the key.
  @discardableResult
  public mutating func remove(_ key: Key) -> Bool {
    guard let place = places.removeValue(forKey: key) else { return false }
    unlink(place)
    bytes -= nodes[place].bytes
    nodes[place] = Node(key: nil, bytes: 0, older: free, newer: Self.none)
    free = place
    return true
  }

  public mutating func removeAll() {
    self = LRUIndex(countLimit: countLimit, byteLimit: byteLimit)
  }

  /// Sets the limits.
  ///
  /// - Returns: The evicted keys, the least recently used first.
  public mutating func resize(countLimit: Int, byteLimit: Int) -> [Key] {
    self.countLimit = max(0, countLimit)
    self.byteLimit = max(0, byteLimit)
    return evict(count: keepsAnything ? self.countLimit : 0, bytes: self.byteLimit)
  }

  /// Whether entries can be inserted. If either limit is 0, even an entry of 0 bytes is rejected.
  private var keepsAnything: Bool { countLimit > 0 && byteLimit > 0 }

  private mutating func evict(count limit: Int, bytes byteLimit: Int) -> [Key] {
    var evicted: [Key] = []
    while count > limit || bytes > byteLimit, oldest != Self.none, let key = nodes[oldest].key {
      evicted.append(key)
      remove(key)
    }
    return evicted
  }

  private mutating func allocate(_ node: Node) -> Int {
    guard free != Self.none else {
      nodes.append(node)
      return nodes.count - 1
    }
    let place = free
    free = nodes[place].older
    nodes[place] = node
    return place
  }

  private mutating func unlink(_ place: Int) {
    let node = nodes[place]
    if node.older == Self.none { oldest = node.newer } else { nodes[node.older].newer = node.newer }
    if node.newer == Self.none { newest = node.older } else { nodes[node.newer].older = node.older }
  }
}
