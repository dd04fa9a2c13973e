/// The records of a source by the keys under which its entries are grouped. The records that were used last are
/// remembered; a key that has been forgotten begins another record.
struct RecordGroups: Sendable {
  /// The number of keys that are remembered.
  static let countLimit = 10_000
  /// The number of bytes that the remembered keys may have together.
  static let byteLimit = 4 << 20

  private var places: [String: Int] = [:]
  private var index = LRUIndex<String>(countLimit: countLimit, byteLimit: byteLimit)

  /// Returns the place of the record with a key; nil if the key is new or has been forgotten.
  mutating func place(of key: String) -> Int? {
    guard let place = places[key], index.touch(key) else { return nil }
    return place
  }

  /// Remembers the place of a record.
  mutating func insert(_ place: Int, for key: String) {
    places[key] = place
    for forgotten in index.insert(key, bytes: key.utf8.count) { places[forgotten] = nil }
  }
}

/// The list of a source that is being read, and the record that receives its entries, which is made with the first
/// one.
struct CurrentList: Sendable {
  private(set) var title = ""
  /// The key of the list, if it has one.
  private var key: String?
  /// The place of the record among those of the source; nil before its first entry.
  private(set) var record: Int?
  private var groups = RecordGroups()

  /// Begins a list, or continues the one with the same key.
  mutating func begin(title: String, key: String?) {
    self.title = title
    self.key = key
    record = key.flatMap { groups.place(of: $0) }
  }

  /// Notes that the record of the list was made.
  mutating func made(at place: Int) {
    record = place
    if let key { groups.insert(place, for: key) }
  }
}
