public import Archive

/// The forms in which a record's pictures leave a library.
public enum PictureFormat: String, Sendable, CaseIterable {
  /// A folder.
  case dir
  /// A zip by the name that readers of comics know.
  case cbz
  case zip, tar

  /// nil means a folder.
  public var archive: ArchiveKind? {
    switch self {
    case .dir: nil
    case .cbz, .zip: .zip
    case .tar: .tar
    }
  }
}
