import Models
import Persistence

extension CacheName {
  /// The number that stands for the cache in the database; never changed.
  var number: Int {
    switch self {
    case .renditions: 0
    case .loose: 1
    }
  }
}

/// The books of the caches.
extension Connection {
  func use(_ entries: [CacheEntry], in cache: CacheName) throws(StoreError) {
    var used = try newUses(entries.count, of: cache)
    var delta = CacheSize()
    for entry in entries {
      let known = try bytes(of: entry.name, in: cache)
      try run(
        """
        INSERT INTO cache_entry (cache, name, bytes, used) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (cache, name) DO UPDATE SET bytes = ?3, used = ?4
        """, cache.number, entry.name, entry.bytes, used)
      used &+= 1
      delta.count += known == nil ? 1 : 0
      delta.bytes &+= entry.bytes &- (known ?? 0)
    }
    try count(delta, of: cache)
  }

  func touch(_ names: [String], in cache: CacheName) throws(StoreError) {
    var used = try newUses(names.count, of: cache)
    for name in names {
      try run(
        "UPDATE cache_entry SET used = ?3 WHERE cache = ?1 AND name = ?2", cache.number, name, used)
      used &+= 1
    }
  }

  func overflow(
    of cache: CacheName, count: Int, bytes: Int64, limit: Int
  ) throws(StoreError) -> [CacheEntry] {
    var rest = try size(of: cache)
    var surplus: [CacheEntry] = []
    let entries = try prepared(
      "SELECT name, bytes FROM cache_entry WHERE cache = ?1 ORDER BY used")
    try entries.bind(cache.number)
    defer { entries.reset() }
    while surplus.count < limit, rest.count > count || rest.bytes > bytes, try entries.step() {
      var row = Row(entries)
      let entry = CacheEntry(name: row.text(), bytes: row.integer())
      rest.count &-= 1
      rest.bytes &-= entry.bytes
      surplus.append(entry)
    }
    return surplus
  }

  func forget(_ names: [String], in cache: CacheName) throws(StoreError) {
    var delta = CacheSize()
    for name in names {
      guard let known = try bytes(of: name, in: cache) else { continue }
      try run("DELETE FROM cache_entry WHERE cache = ?1 AND name = ?2", cache.number, name)
      delta.count -= 1
      delta.bytes &-= known
    }
    try count(delta, of: cache)
  }

  func size(of cache: CacheName) throws(StoreError) -> CacheSize {
    let size = try first("SELECT count, bytes FROM cache WHERE id = ?1", cache.number) {
      row throws(StoreError) in CacheSize(count: Int(row.integer()), bytes: row.integer())
    }
    return size ?? CacheSize()
  }

  /// The first of `count` new marks of the order of use.
  private func newUses(_ count: Int, of cache: CacheName) throws(StoreError) -> Int64 {
    let last = try integer(
      "UPDATE cache SET last_use = last_use + ?2 WHERE id = ?1 RETURNING last_use", cache.number,
      count)
    return last &- Int64(count) &+ 1
  }

  private func bytes(of name: String, in cache: CacheName) throws(StoreError) -> Int64? {
    try first(
      "SELECT bytes FROM cache_entry WHERE cache = ?1 AND name = ?2", cache.number, name
    ) { row throws(StoreError) in row.integer() }
  }

  private func count(_ delta: CacheSize, of cache: CacheName) throws(StoreError) {
    try run(
      "UPDATE cache SET count = count + ?2, bytes = bytes + ?3 WHERE id = ?1", cache.number,
      delta.count, delta.bytes)
  }
}
