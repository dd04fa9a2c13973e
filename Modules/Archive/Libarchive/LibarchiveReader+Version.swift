import CLibarchive
public import Models

extension LibarchiveReader {
  public static var library: LibraryVersion {
    LibraryVersion("libarchive", version, for: "zip, 7z, rar and tar archives")
  }

  private static var version: String? {
    // libarchive returns the text "libarchive 3.6.2".
    archive_version_string().map { String(String(cString: $0).split(separator: " ").last ?? "") }
  }
}
