/// Writes files to a new archive, one after the other, under the given names. Calls block. Confined to one
/// thread at a time.
public protocol ArchiveWriter: AnyObject {
  /// Adds a file.
  /// - Parameters:
  ///   - name: The name in the archive; folders are separated by `/`.
  ///   - path: The path of a regular file.
  func add(_ name: String, contentsOf path: String) throws(ArchiveError)
  /// Writes the end of the archive. Without this call the archive is incomplete.
  func finish() throws(ArchiveError)
}

/// The supported output formats.
public enum ArchiveKind: String, Sendable, CaseIterable {
  case zip, tar
}
