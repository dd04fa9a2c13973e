import LibraryAPI

/// The number of open event streams of each viewer.
///
/// Not `Sendable`: the connections, which all run on the acceptor's actor, share it.
final class ViewerStreams {
  private var counts: [ViewerID: Int] = [:]

  func insert(_ viewer: ViewerID) { counts[viewer, default: 0] += 1 }

  /// Removes a stream of a viewer.
  /// - Returns: Whether that was the last stream of the viewer.
  func remove(_ viewer: ViewerID) -> Bool {
    let left = (counts[viewer] ?? 1) - 1
    counts[viewer] = left > 0 ? left : nil
    return left == 0
  }
}
