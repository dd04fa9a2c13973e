public import Archive

/// The formats in which the images of a record can be exported.
public enum ImageExportFormat: String, Sendable, CaseIterable {
  /// A folder.
  case dir
  /// A zip file with the extension that comic readers expect.
  case cbz
  case zip, tar

  /// The kind of archive; nil for a folder.
  public var archive: ArchiveKind? {
    switch self {
    case .dir: nil
    case .cbz, .zip: .zip
    case .tar: .tar
    }
  }
}
