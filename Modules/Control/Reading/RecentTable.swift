/// A cache of values that a server keeps for its clients, by id. A value is evicted ten minutes after its
/// last use, or as the least recently used when the table is full. The caller releases what an evicted value
/// refers to, such as a file.
struct RecentTable<Value: Sendable>: Sendable {
  private struct Entry {
    let value: Value
    let weight: Int
    /// The time of the last use on the server's clock, in seconds.
    var time: Double
  }

  private static var keptSeconds: Double { 600 }

  private let countLimit: Int
  private let weightLimit: Int
  private var entries: [UInt64: Entry] = [:]
  private var weight = 0

  /// - Parameters:
  ///   - count: The maximum number of values.
  ///   - weight: The maximum sum of the values' weights; a single value may be heavier.
  init(count: Int, weight: Int = .max) {
    countLimit = count
    weightLimit = weight
  }

  /// Adds a value, and evicts expired and least recently used values until there is room.
  /// - Parameters:
  ///   - weight: The share of the table's limit that the value needs, in any unit.
  ///   - now: The time on the server's clock in seconds.
  /// - Returns: The evicted values.
  @discardableResult
  mutating func insert(_ value: Value, id: UInt64, weight: Int = 0, now: Double) -> [Value] {
    var forgotten = removeExpired(now)
    while entries.count >= countLimit || self.weight > weightLimit - weight,
      let oldest = entries.min(by: { $0.value.time < $1.value.time })
    {
      forgotten.append(oldest.value.value)
      remove(oldest.key)
    }
    entries[id] = Entry(value: value, weight: weight, time: now)
    self.weight += weight
    return forgotten
  }

  /// Returns a value and renews its expiry, or returns nil if the value was evicted.
  mutating func value(_ id: UInt64, now: Double) -> Value? {
    guard let entry = entries[id], !Self.isExpired(entry, now) else { return nil }
    entries[id]?.time = now
    return entry.value
  }

  /// Returns a value that fulfils a condition; its expiry stays.
  func first(now: Double, where isWanted: (Value) -> Bool) -> Value? {
    entries.values.first { !Self.isExpired($0, now) && isWanted($0.value) }?.value
  }

  @discardableResult
  mutating func remove(_ id: UInt64) -> Value? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    weight -= entry.weight
    return entry.value
  }

  mutating func removeAll() -> [Value] {
    defer { (entries, weight) = ([:], 0) }
    return entries.values.map(\.value)
  }

  private mutating func removeExpired(_ now: Double) -> [Value] {
    entries.filter { Self.isExpired($0.value, now) }.keys.compactMap { remove($0) }
  }

  private static func isExpired(_ entry: Entry, _ now: Double) -> Bool {
    entry.time + keptSeconds <= now
  }
}
