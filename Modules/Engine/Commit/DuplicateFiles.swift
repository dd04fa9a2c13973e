import Models

/// The paths of originals by content, for hard links. If a path is registered again with another digest, it
/// is removed from the paths of the old digest.
struct DuplicateFiles: Sendable {
  private var paths: [Digest: [String]] = [:]
  private var digests: [String: Digest] = [:]
  /// The paths of files that the batch itself has put in place, whose content is therefore known.
  private(set) var placed: Set<String> = []
  /// Whether files of equal content were registered or are expected in the batch.
  var isNeeded = false

  /// The largest number of paths of one content that are worth trying.
  private static let limit = 16

  /// Returns the last paths with this content, the latest first: the earlier files may have reached the link
  /// limit of the file system.
  func paths(of digest: Digest) -> [String] { paths[digest]?.suffix(Self.limit).reversed() ?? [] }

  /// - Parameter isPlaced: Whether the batch itself has put the file in place.
  mutating func register(_ path: String, _ digest: Digest, isPlaced: Bool = false) {
    isNeeded = true
    if isPlaced { placed.insert(path) }
    if let old = digests.updateValue(digest, forKey: path) {
      if old == digest { return }
      paths[old]?.removeAll { $0 == path }
    }
    paths[digest, default: []].append(path)
  }
}
