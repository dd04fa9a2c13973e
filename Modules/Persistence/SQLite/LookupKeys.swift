import Models

// Files are found by numbers of four bytes: SQLite compares them in a third of the time of blobs, and
// a page of an index holds a third more of them.

extension Digest {
  /// Its first 31 bits, by which a file is found.
  var key: Int64 { Int64(words.0 >> 33) }
}

extension RequestKey {
  /// Its first 31 bits, by which a file is found.
  var key: Int64 { Int64(high >> 33) }
}
