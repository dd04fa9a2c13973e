import CMinizip
public import Models

extension MinizipReader {
  /// minizip has no version of its own: it comes with zlib.
  public static var library: LibraryVersion {
    LibraryVersion("minizip (zlib)", String(cString: zlibVersion()), for: "zip archives")
  }
}
