import Models
package import Persistence

extension CacheName {
  /// The number that represents the cache in the database; it must never change.
  var number: Int {
    switch self {
    case .renditions: 0
    case .standalone: 1
    }
  }
}

/// The queries on the tables `cache` and `cache_entry`.
package protocol CacheQueries: ConnectionOwner, CacheRows {}

extension CacheQueries {
  package func overflow(
    of cache: CacheName, count: Int, bytes: Int64, limit: Int
  ) throws(StoreError) -> [CacheEntry] {
    try connection.transaction(.reading) { () throws(StoreError) in
      var rest = try size(of: cache)
      var surplus: [CacheEntry] = []
      let entries = try connection.prepared(
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
  }

  package func entries(
    named names: [String], in cache: CacheName
  ) throws(StoreError) -> [CacheEntry] {
    try connection.transaction(.reading) { () throws(StoreError) in
      var found: [CacheEntry] = []
      for name in names {
        let entry = try connection.first(
          "SELECT bytes FROM cache_entry WHERE cache = ?1 AND name = ?2", cache.number, name
        ) { row throws(StoreError) in CacheEntry(name: name, bytes: row.integer()) }
        if let entry { found.append(entry) }
      }
      return found
    }
  }

  package func size(of cache: CacheName) throws(StoreError) -> CacheSize {
    let size = try connection.first("SELECT count, bytes FROM cache WHERE id = ?1", cache.number) {
      row throws(StoreError) in CacheSize(count: Int(row.integer()), bytes: row.integer())
    }
    return size ?? CacheSize()
  }
}
