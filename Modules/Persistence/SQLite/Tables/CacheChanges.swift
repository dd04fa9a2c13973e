import Models
package import Persistence

/// The changes of the tables `cache` and `cache_entry`.
package protocol CacheChanges: TableChanges {}

extension CacheChanges {
  package func use(_ entries: [CacheEntry], in cache: CacheName) throws(StoreError) {
    try transaction { () throws(StoreError) in
      var used = try newUses(entries.count, of: cache)
      var delta = CacheSize()
      for entry in entries {
        let known = try bytes(of: entry.name, in: cache)
        try connection.run(
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
  }

  package func touch(_ names: [String], in cache: CacheName) throws(StoreError) {
    try transaction { () throws(StoreError) in
      var used = try newUses(names.count, of: cache)
      for name in names {
        try connection.run(
          "UPDATE cache_entry SET used = ?3 WHERE cache = ?1 AND name = ?2", cache.number, name,
          used)
        used &+= 1
      }
    }
  }

  package func removeEntries(_ names: [String], in cache: CacheName) throws(StoreError) {
    try transaction { () throws(StoreError) in
      var delta = CacheSize()
      for name in names {
        guard let known = try bytes(of: name, in: cache) else { continue }
        try connection.run(
          "DELETE FROM cache_entry WHERE cache = ?1 AND name = ?2", cache.number, name)
        delta.count -= 1
        delta.bytes &-= known
      }
      try count(delta, of: cache)
    }
  }

  /// Reserves `count` consecutive numbers for uses of the cache's entries, and returns the first of them.
  private func newUses(_ count: Int, of cache: CacheName) throws(StoreError) -> Int64 {
    let last = try connection.integer(
      "UPDATE cache SET last_use = last_use + ?2 WHERE id = ?1 RETURNING last_use", cache.number,
      count)
    return last &- Int64(count) &+ 1
  }

  private func bytes(of name: String, in cache: CacheName) throws(StoreError) -> Int64? {
    try connection.first(
      "SELECT bytes FROM cache_entry WHERE cache = ?1 AND name = ?2", cache.number, name
    ) { row throws(StoreError) in row.integer() }
  }

  private func count(_ delta: CacheSize, of cache: CacheName) throws(StoreError) {
    try connection.run(
      "UPDATE cache SET count = count + ?2, bytes = bytes + ?3 WHERE id = ?1", cache.number,
      delta.count, delta.bytes)
  }
}
