import Synchronization

/// A table that assigns numbers to grapheme clusters of more than one scalar, so that they fit a cell.
///
/// The process has one table, so a number has the same meaning in every buffer. The table only grows, up to a
/// limit that untrusted text cannot exceed; beyond it, a cluster shows as its first scalar.
final class ClusterTable: Sendable {
  static let shared = ClusterTable()

  private struct Entries {
    var numbers: [String: UInt32] = [:]
    var texts: [String] = []
  }

  /// The largest number of clusters; thousands of combinations are in use.
  static let limit = 65_536
  /// The largest UTF-8 length of a cluster in bytes; the standard's longest emoji has 35. Of a longer
  /// cluster, only the first scalar is shown.
  static let maximumUTF8Bytes = 64

  private let entries = Mutex(Entries())

  /// Returns the number of a cluster; nil if the table is full or the cluster too long.
  func number(for cluster: String) -> UInt32? {
    guard cluster.utf8.count <= Self.maximumUTF8Bytes else { return nil }
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
