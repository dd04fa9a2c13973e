import Glibc

/// Foundation's own folders in the user's home, which this program has no use for.
///
/// Every `URLSessionConfiguration`, the ephemeral one too, begins with the shared cache and the shared
/// cookies, and both make a folder as soon as they are requested; only then can they be taken out of the
/// configuration. Where no folder can be made they do without.
enum FoundationFolders {
  /// Below a device there is no folder and none can be made.
  private static let nowhere = "/dev/null"

  /// Before Foundation is used for the first time, and before there is a second thread.
  static func close() {
    for name in ["XDG_CACHE_HOME", "XDG_DATA_HOME"] { setenv(name, nowhere, 1) }
  }
}
