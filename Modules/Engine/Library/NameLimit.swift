import Naming

/// The length in bytes up to which this library's file system accepts names. Part of the engine's isolation.
///
/// It is not known before a name is refused: `statvfs` reports 255 also for encrypted folders that accept 143.
final class NameLimit {
  private(set) var length = SafeName.maximumLength

  /// Lowers the limit to a length that was found by trying.
  func lower(to length: Int) { self.length = min(self.length, max(1, length)) }
}
