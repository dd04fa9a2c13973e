import Models

/// The paths of originals by content, for links. A path whose file gets other content is no longer listed
/// under the old one.
struct DuplicateFiles: Sendable {
  private var paths: [Digest: [String]] = [:]
  private var digests: [String: Digest] = [:]
  /// Whether at least one path is known or expected for a content that is being looked up.
  var isSought = false

  /// Returns the paths with this content, the latest first: earlier ones may have reached the link limit.
  func paths(of digest: Digest) -> [String] { (paths[digest] ?? []).reversed() }

  mutating func register(_ path: String, _ digest: Digest) {
    isSought = true
    if let old = digests.updateValue(digest, forKey: path) {
      if old == digest { return }
      paths[old]?.removeAll { $0 == path }
    }
    paths[digest, default: []].append(path)
  }
}
