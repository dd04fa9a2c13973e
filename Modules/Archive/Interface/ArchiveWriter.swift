/// Puts files into a new archive, one after the other, under the names that it is given. Blocks.
/// Confined to one thread at a time.
public protocol ArchiveWriter: AnyObject {
  /// - Parameters:
  ///   - name: in the archive; folders with `/`.
  ///   - path: of a regular file.
  func add(_ name: String, contentsOf path: String) throws(ArchiveError)
  /// Writes the end. Without it the archive is not whole.
  func finish() throws(ArchiveError)
}

/// The kinds of archive that are written.
public enum ArchiveKind: String, Sendable, CaseIterable {
  case zip, tar
}
