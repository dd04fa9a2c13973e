import Models

/// Which content each name has that something may be linked to. A name that gets other content is
/// no longer one of the old.
struct DuplicateFiles: Sendable {
  private var paths: [Digest: [String]] = [:]
  private var digests: [String: Digest] = [:]
  /// Whether any content that is looked for is that of more than one name.
  var isSought = false

  /// The ones that came last, first: those before them may have as many links as can be.
  func paths(of digest: Digest) -> [String] { (paths[digest] ?? []).reversed() }

  mutating func note(_ path: String, _ digest: Digest) {
    isSought = true
    if let old = digests.updateValue(digest, forKey: path) {
      if old == digest { return }
      paths[old]?.removeAll { $0 == path }
    }
    paths[digest, default: []].append(path)
  }
}
