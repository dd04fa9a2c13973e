import CMinizip
public import Models

extension MinizipReader {
  /// The version of zlib, which contains minizip.
  public static var library: LibraryVersion {
    LibraryVersion("minizip (zlib)", String(cString: zlibVersion()), for: "zip archives")
  }
}
