import Models

// The indexes on files use keys of four bytes. SQLite compares these in a third of the time of blobs, and an
// index page holds a third more keys.

extension Digest {
  /// The first 31 bits of the digest, by which an index finds files.
  var key: Int64 { Int64(words.0 >> 33) }
}

extension RequestKey {
  /// The first 31 bits of the request key, by which an index finds files.
  var key: Int64 { Int64(high >> 33) }
}
