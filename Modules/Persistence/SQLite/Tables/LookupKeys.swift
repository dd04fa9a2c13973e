import Models

// The indexes on files use four-byte keys: SQLite compares them in a third of the time of blobs, and an index
// page holds a third more of them.

extension Digest {
  /// The first 31 bits, which index the files.
  var key: Int64 { Int64(words.0 >> 33) }
}

extension RequestKey {
  /// The first 31 bits, which index the files.
  var key: Int64 { Int64(high >> 33) }
}
