import Persistence

/// The entries of one cache, ordered by their last use.
struct CacheUsage {
  private(set) var size = CacheSize()
  private var entries: [String: (bytes: Int64, use: Int)] = [:]
  /// All uses in order, oldest first. A use is stale if its entry was used again or removed later.
  private var uses: [(name: String, use: Int)] = []
  /// The index in `uses` before which every use is stale.
  private var oldest = 0
  private var lastUse = 0

  mutating func use(_ entry: CacheEntry) {
    forget(entry.name)
    lastUse += 1
    entries[entry.name] = (entry.bytes, lastUse)
    uses.append((entry.name, lastUse))
    size.count += 1
    size.bytes &+= entry.bytes
    if uses.count > 2 * entries.count + 64 {
      uses = uses.filter(isCurrent)
      oldest = 0
    }
  }

  mutating func touch(_ name: String) {
    if let bytes = entries[name]?.bytes { use(CacheEntry(name: name, bytes: bytes)) }
  }

  mutating func forget(_ name: String) {
    guard let old = entries.removeValue(forKey: name) else { return }
    size.count -= 1
    size.bytes &-= old.bytes
    while oldest < uses.count, !isCurrent(uses[oldest]) { oldest += 1 }
  }

  func overflow(count: Int, bytes: Int64, limit: Int) -> [CacheEntry] {
    var rest = size
    var surplus: [CacheEntry] = []
    for use in uses[oldest...] {
      guard surplus.count < limit, rest.count > count || rest.bytes > bytes else { break }
      guard isCurrent(use), let entry = entries[use.name] else { continue }
      rest.count -= 1
      rest.bytes &-= entry.bytes
      surplus.append(CacheEntry(name: use.name, bytes: entry.bytes))
    }
    return surplus
  }

  func entry(_ name: String) -> CacheEntry? {
    entries[name].map { CacheEntry(name: name, bytes: $0.bytes) }
  }

  private func isCurrent(_ use: (name: String, use: Int)) -> Bool {
    entries[use.name]?.use == use.use
  }
}
