import Synchronization

/// Grapheme clusters of more than one scalar, each under a number that fits a cell.
///
/// One for the process, so that a number means the same in every buffer. It only grows, up to a
/// limit that text from outside cannot exceed; after that, a cluster shows as its first scalar.
final class ClusterTable: Sendable {
  static let shared = ClusterTable()

  private struct Entries {
    var numbers: [String: UInt32] = [:]
    var texts: [String] = []
  }

  /// Far more than any language or user needs: the combinations that are in use are thousands.
  static let limit = 65_536
  /// UTF-8 bytes of a cluster; the standard's longest emoji has 35. Heaps of accents are cut.
  static let longest = 64

  private let entries = Mutex(Entries())

  /// Nil when the table is full or the cluster too long.
  func number(for cluster: String) -> UInt32? {
    guard cluster.utf8.count <= Self.longest else { return nil }
    return entries.withLock { entries in
      if let known = entries.numbers[cluster] { return known }
      guard entries.texts.count < Self.limit else { return nil }
      let number = UInt32(entries.texts.count)
      entries.texts.append(cluster)
      entries.numbers[cluster] = number
      return number
    }
  }

  func text(_ number: UInt32) -> String {
    entries.withLock { entries in
      guard let index = Int(exactly: number), index < entries.texts.count else { return "\u{fffd}" }
      return entries.texts[index]
    }
  }
}
